/** Suspends or resumes an operator after confirmation. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { useOperatorName } from './names.ts';
import { changed, isSuspendedByGateway, type Listed } from './operator.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Props = { readonly operator: Listed; readonly onClose: () => void };

const SuspendDialog = ({ operator, onClose }: Props) => {
  const say = useText();
  const { id } = operator;
  const name = useOperatorName()(operator);
  const done = useDone();
  const suspend = useAct('suspendOperator', changed);
  const onSuccess = (): void => {
    done('operators.suspendDone', { name });
    onClose();
  };
  return (
    <ReasonDialog
      danger
      title={say('operators.suspendOf', { name })}
      text={say('operators.suspendText')}
      confirm={say('operators.suspend')}
      busy={suspend.isPending}
      error={suspend.error}
      onConfirm={(reason) =>
        suspend.mutate({ params: { operator_id: String(id) }, body: { reason } }, { onSuccess })
      }
      onClose={onClose}
    />
  );
};

const ResumeDialog = ({ operator, onClose }: Props) => {
  const say = useText();
  const { id, suspended } = operator;
  const name = useOperatorName()(operator);
  const done = useDone();
  const resume = useAct('resumeOperator', changed);
  const onSuccess = (): void => {
    done('operators.resumeDone', { name });
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={say('operators.resumeOf', { name })}
      text={say('operators.resumeText')}
      confirm={say('operators.resume')}
      busy={resume.isPending}
      error={resume.error}
      onConfirm={() => resume.mutate({ params: { operator_id: String(id) } }, { onSuccess })}
      onClose={onClose}
    >
      {suspended === null ? null : (
        <Typography>
          {say('operators.resumeWas', { by: suspended.by, reason: suspended.reason })}
        </Typography>
      )}
    </ConfirmDialog>
  );
};

/** The applicable button of the two; nothing without permission. */
export const Suspension = ({
  operator,
  size = 'medium',
}: {
  readonly operator: Listed;
  readonly size?: 'small' | 'medium';
}) => {
  const say = useText();
  const nameOf = useOperatorName();
  const may = useMay('catalogue');
  const [asked, setAsked] = useState<'suspend' | 'resume' | undefined>(undefined);
  const action = operator.suspended === null ? 'suspend' : 'resume';
  const close = (): void => setAsked(undefined);
  if (!may) return null;
  return (
    <>
      {isSuspendedByGateway(operator) ? null : (
        <Button
          variant="outlined"
          size={size}
          color={action === 'suspend' ? 'error' : 'primary'}
          aria-label={say(`operators.${action}Of`, { name: nameOf(operator) })}
          onClick={() => setAsked(action)}
        >
          {say(`operators.${action}`)}
        </Button>
      )}
      {asked === 'suspend' ? <SuspendDialog operator={operator} onClose={close} /> : null}
      {asked === 'resume' ? <ResumeDialog operator={operator} onClose={close} /> : null}
    </>
  );
};
