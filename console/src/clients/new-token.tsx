/** Creates a token for a client: name, scopes, networks and expiry. */
import Alert from '@mui/material/Alert';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { Given } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { dayBegins } from '../zoned.ts';
import { CheckboxGroup } from './checkbox-group.tsx';
import { type Client, isUnsure, ofClient, pieces, type Token } from './client.ts';
import type { Made } from './token.ts';

type Scope = Token['scopes'][number];
const scopes = ['catalogue', 'offers', 'purchase', 'webhooks'] as const satisfies readonly Scope[];

type Wanted = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly networks: string;
  readonly lastDay: string;
};

const bodyOf = (
  key: string,
  { name, scopes, networks, lastDay }: Wanted,
  zone: string,
): Given<'createToken'>['body'] => {
  const ends = dayBegins(lastDay, zone, 1);
  return {
    key,
    name: name.trim(),
    scopes,
    networks: pieces(networks),
    ...(ends === undefined ? {} : { expires_at: ends }),
  };
};

const Fields = ({
  wanted,
  tried,
  change,
}: {
  readonly wanted: Wanted;
  readonly tried: boolean;
  readonly change: (part: Partial<Wanted>) => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  const noScope = tried && wanted.scopes.length === 0;
  return (
    <>
      <TextField
        label={say('clientTokens.name')}
        helperText={say('clientTokens.nameHelp')}
        value={wanted.name}
        required
        autoFocus
        onChange={({ target }) => change({ name: target.value })}
        slotProps={{ htmlInput: { maxLength: 100, autoComplete: 'off', dir: 'auto' } }}
      />
      <CheckboxGroup
        label={say('clientTokens.scopes')}
        {...(noScope ? { help: say('clientTokens.scopesMissing') } : {})}
        wrong={noScope}
        options={scopes.map((value) => ({ value, label: say(`clientTokens.scope.${value}`) }))}
        chosen={wanted.scopes}
        onChoose={(chosen) => change({ scopes: chosen })}
      />
      <TextField
        label={say('clientTokens.networksLabel')}
        helperText={say('clientTokens.networksHelp')}
        value={wanted.networks}
        multiline
        minRows={2}
        maxRows={6}
        onChange={({ target }) => change({ networks: target.value })}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false, autoCapitalize: 'none' } }}
      />
      <TimeField
        kind="day"
        label={say('clientTokens.expiry')}
        help={`${say('clientTokens.expiryHelp')} ${say('times.daysInZone', { zone })}`}
        value={wanted.lastDay}
        onChange={(lastDay) => change({ lastDay })}
      />
    </>
  );
};

export const NewToken = ({
  client,
  onMade,
  onClose,
}: {
  readonly client: Client;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  const create = useAct('createToken', { changes: ofClient });
  const [key] = useState(newKey);
  const [tried, setTried] = useState(false);
  const [wanted, setWanted] = useState<Wanted>({ name: '', scopes, networks: '', lastDay: '' });
  const send = (): void => {
    setTried(true);
    if (wanted.scopes.length === 0) return;
    create.mutate(
      { params: { client_id: client.id }, body: bodyOf(key, wanted, zone) },
      { onSuccess: ({ token }) => onMade({ name: client.name, token }) },
    );
  };
  return (
    <ConfirmDialog
      open
      title={say('clientTokens.create')}
      text={say('clientTokens.createText')}
      confirm={say('clientTokens.createSubmit')}
      busy={create.isPending}
      error={create.error}
      onConfirm={send}
      onClose={onClose}
    >
      <Fields
        wanted={wanted}
        tried={tried}
        change={(part) => setWanted((before) => ({ ...before, ...part }))}
      />
      {isUnsure(create.error) ? <Alert severity="info">{say('clientTokens.unsure')}</Alert> : null}
    </ConfirmDialog>
  );
};
