/** Shows the changes to an operator's settings before saving, then saves them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Code } from '../design/data/code.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import { useDone } from '../parts/done.ts';
import type { Change } from './draft.ts';
import type { Settings } from './fields.ts';
import { useOperatorName } from './names.ts';
import { changed, type Operator } from './operator.ts';
import { useConnectorText, useWords } from './setting-help.tsx';

const OneChange = ({ change: { field, before, after } }: { readonly change: Change }) => {
  const say = useText();
  const words = useWords();
  if (!field.secret) {
    return say('operatorSettings.was', { before: words(before), after: words(after) });
  }
  if (after === undefined) return say('operatorSettings.secretIsRemoved');
  return say(
    before === undefined ? 'operatorSettings.secretIsSet' : 'operatorSettings.secretIsReplaced',
  );
};

type Changed = {
  readonly changes: readonly Change[];
  /** The connector in use, and the one that was chosen. */
  readonly connectors: { readonly before: string; readonly after: string } | undefined;
};

const Changes = ({ changes, connectors }: Changed) => {
  const say = useText();
  const none = say('operatorSettings.noConnector');
  const textOf = useConnectorText();
  return (
    <Box component="section" aria-label={say('operatorSettings.changes')}>
      <Typography variant="h3" component="h3">
        {say('operatorSettings.changes')}
      </Typography>
      {changes.length === 0 && connectors === undefined ? (
        <Typography>{say('operatorSettings.same')}</Typography>
      ) : null}
      {connectors === undefined ? null : (
        <Typography>
          {say('operatorSettings.connectorChanges', {
            before: connectors.before || none,
            after: connectors.after,
          })}
        </Typography>
      )}
      <Box component="ul" sx={{ my: 1, paddingInlineStart: 3, overflowWrap: 'anywhere' }}>
        {changes.map((change) => (
          <li key={change.field.path}>
            <strong>
              <Description {...textOf(change.field.label)} />
            </strong>{' '}
            <Code>{change.field.path}</Code>
            {': '}
            <bdi>
              <OneChange change={change} />
            </bdi>
          </li>
        ))}
      </Box>
    </Box>
  );
};

const isCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

type ReviewProps = {
  /** With the settings and the version that were seen. */
  readonly operator: Operator;
  readonly settings: Settings;
  readonly changes: readonly Change[];
  /** The connector in use, where the operator is to have another. */
  readonly chosenOver: string | undefined;
  readonly onSaved: () => void;
  /** Fields that the gateway rejects. */
  readonly onWrong: (error: ApiError) => void;
  /** Loads the current settings. */
  readonly onTakeOver: () => Promise<void>;
  readonly onClose: () => void;
};

export const Review = ({
  operator,
  settings,
  changes,
  chosenOver,
  onSaved,
  onWrong,
  onTakeOver,
  onClose,
}: ReviewProps) => {
  const say = useText();
  const nameOf = useOperatorName();
  const done = useDone();
  const save = useAct('updateOperatorSettings', changed);
  const [tookOver, setTookOver] = useState(false);
  const act = (): void => {
    setTookOver(false);
    save.mutate(
      {
        params: { operator_id: String(operator.id) },
        body: {
          settings,
          version: operator.version,
          ...(chosenOver === undefined ? {} : { connector: operator.connector }),
        },
      },
      {
        onSuccess: () => {
          done('operatorSettings.saved');
          onSaved();
        },
        onError: (error) => {
          if (isCode(error, 'VALIDATION_FAILED') || isCode(error, 'SECRETS_NEEDED')) onWrong(error);
        },
      },
    );
  };
  const takeOver = async (): Promise<void> => {
    await onTakeOver();
    save.reset();
    setTookOver(true);
  };
  return (
    <ConfirmDialog
      open
      title={say('operatorSettings.reviewTitle', { name: nameOf(operator) })}
      text={say('operatorSettings.reviewText')}
      confirm={say('operatorSettings.save')}
      busy={save.isPending}
      error={save.error}
      onConfirm={act}
      onClose={onClose}
    >
      <Box role="status">{tookOver ? say('operatorSettings.tookOver') : null}</Box>
      <Changes
        changes={changes}
        connectors={
          chosenOver === undefined ? undefined : { before: chosenOver, after: operator.connector }
        }
      />
      {isCode(save.error, 'SETTINGS_CHANGED') ? (
        <Button variant="outlined" onClick={() => void takeOver()}>
          {say('operatorSettings.takeOver')}
        </Button>
      ) : null}
    </ConfirmDialog>
  );
};
