/** Shows how many routes lead to an operator or supplier and what became of them, and trusts it again. */
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAct } from '../api/hooks.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { useOperatorName } from './names.ts';
import { changed, type Listed } from './operator.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Props = { readonly operator: Listed };

const Trust = ({ operator }: Props) => {
  const say = useText();
  const done = useDone();
  const name = useOperatorName()(operator);
  const trust = useAct('trustOperator', changed);
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const onSuccess = (): void => {
    done('operators.trustDone', { name });
    close();
  };
  const params = { operator_id: String(operator.id) };
  return (
    <>
      <Button
        variant="outlined"
        aria-label={say('operators.trustOf', { name })}
        onClick={() => setAsked(true)}
      >
        {say('operators.trust')}
      </Button>
      {isAsked ? (
        <ReasonDialog
          title={say('operators.trustOf', { name })}
          text={say('operators.trustText')}
          confirm={say('operators.trust')}
          busy={trust.isPending}
          error={trust.error}
          onConfirm={(reason) => trust.mutate({ params, body: { reason } }, { onSuccess })}
          onClose={close}
        />
      ) : null}
    </>
  );
};

export const RoutesSection = ({ operator }: Props) => {
  const say = useText();
  const { count } = useFormat();
  const mayTrust = useMay('catalogue');
  const mayRead = useMay('routes_read');
  const { id, routes, routes_closed: closed, broken_promises: broken } = operator;
  const shown = count(routes);
  return (
    <Section
      title={say('operators.routes')}
      actions={mayTrust && broken > 0 ? <Trust operator={operator} /> : undefined}
    >
      <DescriptionList
        rows={[
          [
            say('operators.routesTo'),
            mayRead && routes > 0 ? (
              <MuiLink key="routes" component={Link} to={`/routes?supplier_id=${id}`}>
                {shown}
              </MuiLink>
            ) : (
              shown
            ),
          ],
          [say('operators.routesClosed'), count(closed)],
          [
            say('operators.brokenPromises'),
            broken === 0 ? count(0) : say('operators.broken', { count: count(broken) }),
          ],
        ]}
      />
    </Section>
  );
};
