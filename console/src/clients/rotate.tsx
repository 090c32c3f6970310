/** Rotates a token: creates a new one and keeps the old one valid for the selected overlap. */
import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type Client, isUnsure, ofClient, type Token } from './client.ts';
import { RadioField } from './radio-field.tsx';
import { type Made, nameOf } from './token.ts';

const overlaps = { none: 0, hour: 1, day: 24, week: 168 } as const;
type Overlap = keyof typeof overlaps;
const options = ['none', 'hour', 'day', 'week'] as const satisfies readonly Overlap[];

export const Rotate = ({
  client,
  token,
  onMade,
  onClose,
}: {
  readonly client: Client;
  readonly token: Token;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { time } = useFormat();
  const rotate = useAct('rotateToken', { changes: ofClient });
  const [key] = useState(newKey);
  const [overlap, setOverlap] = useState<Overlap>('day');
  const send = (): void =>
    rotate.mutate(
      {
        params: { client_id: client.id, token_id: token.id },
        body: { key, overlap_hours: overlaps[overlap] },
      },
      {
        onSuccess: (made) =>
          onMade({
            name: client.name,
            token: made.token,
            text:
              overlap === 'none'
                ? say('clientTokens.rotatedAtOnce')
                : say('clientTokens.rotated', { until: time(made.old_expires_at, 'short') }),
          }),
      },
    );
  return (
    <ConfirmDialog
      open
      danger={overlap === 'none'}
      title={say('clientTokens.rotateTitle', { name: nameOf(say, token) })}
      text={
        token.expires_at === null
          ? say('clientTokens.rotateText')
          : say('clientTokens.rotateEnds', { until: time(token.expires_at, 'short') })
      }
      confirm={say('clientTokens.rotateSubmit')}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={send}
      onClose={onClose}
    >
      <RadioField
        label={say('clientTokens.overlap')}
        options={options.map((value) => ({
          value,
          label: say(`clientTokens.hours.${value}`),
          help: say(`clientTokens.hoursHelp.${value}`),
        }))}
        chosen={overlap}
        onChoose={setOverlap}
      />
      {isUnsure(rotate.error) ? <Alert severity="info">{say('clientTokens.unsure')}</Alert> : null}
    </ConfirmDialog>
  );
};
