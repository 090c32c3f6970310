/** Lists a client's tokens, and opens the dialogs that create, rotate and revoke them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useReread } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { AddIcon, MoreIcon } from '../design/icons.tsx';
import { MenuButton } from '../design/input/menu-button.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import type { Client, Token } from './client.ts';
import { NewToken } from './new-token.tsx';
import { Revoke } from './revoke.tsx';
import { Rotate } from './rotate.tsx';
import { type Made, nameOf } from './token.ts';
import { TokenDialog } from './token-dialog.tsx';

type TokenAction = 'rotate' | 'revoke';
type Asked = { readonly action: TokenAction; readonly token: Token };

const tones = { valid: 'good', expired: 'plain', revoked: 'bad' } as const;

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
    {lines.map((line) => (
      <li key={line}>
        <bdi>{line}</bdi>
      </li>
    ))}
  </Box>
);

const useActions = (onAsk: (asked: Asked) => void): Column<Token> => {
  const say = useText();
  return {
    key: 'actions',
    phone: 'end',
    label: say('common.actions'),
    cell: (token) =>
      token.state === 'valid' ? (
        <MenuButton
          label={say('clientTokens.actionsOf', { name: nameOf(say, token) })}
          icon={<MoreIcon />}
          options={(['rotate', 'revoke'] as const).map((action) => ({
            key: action,
            label: say(`clientTokens.${action}`),
            choose: () => onAsk({ action, token }),
          }))}
        />
      ) : (
        say('common.none')
      ),
  };
};

const useColumns = (onAsk: (asked: Asked) => void): readonly Column<Token>[] => {
  const say = useText();
  const { time } = useFormat();
  const may = useMay('clients');
  const timeOr = (at: string | null): string =>
    at === null ? say('clientTokens.never') : time(at, 'short');
  const actions = useActions(onAsk);
  return [
    {
      key: 'name',
      label: say('clientTokens.name'),
      cell: ({ name }) => <bdi>{name === '' ? say('clientTokens.unnamed') : name}</bdi>,
    },
    {
      key: 'ending',
      phone: 'line',
      label: say('clientTokens.ending'),
      cell: ({ ending }) => (
        <Box component="bdi" dir="ltr" sx={{ whiteSpace: 'nowrap' }}>
          …{ending}
        </Box>
      ),
    },
    {
      key: 'state',
      phone: 'line',
      label: say('clientTokens.state'),
      cell: ({ state }) => <Badge tone={tones[state]} label={say(`clientTokens.${state}`)} />,
    },
    {
      key: 'scopes',
      wrap: true,
      label: say('clientTokens.scopes'),
      cell: ({ scopes }) => (
        <Lines lines={scopes.map((scope) => say(`clientTokens.scope.${scope}`))} />
      ),
    },
    {
      key: 'networks',
      wrap: true,
      label: say('clientTokens.networks'),
      cell: ({ networks }) =>
        networks.length === 0 ? say('clientTokens.anywhere') : <Lines lines={networks} />,
    },
    {
      key: 'created',
      label: say('clientTokens.created'),
      cell: (token) => time(token.created_at, 'short'),
    },
    {
      key: 'expires',
      label: say('clientTokens.expires'),
      cell: (token) => timeOr(token.expires_at),
    },
    { key: 'used', label: say('clientTokens.used'), cell: (token) => timeOr(token.last_used_at) },
    ...(may ? [actions] : []),
  ];
};

export const Tokens = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const may = useMay('clients');
  const reread = useReread();
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [made, setMade] = useState<Made | undefined>(undefined);
  const columns = useColumns(setAsked);
  // An unanswered request may have been done too: the list shows it.
  const close = (): void => {
    setCreating(false);
    setAsked(undefined);
    void reread(['getClient']);
  };
  const show = (token: Made): void => {
    close();
    setMade(token);
  };
  const create = (
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
      {say('clientTokens.create')}
    </Button>
  );
  const { tokens } = client;
  return (
    <Section title={say('clientTokens.title')} actions={may ? create : undefined}>
      <Typography sx={{ mb: 2 }}>{say('clientTokens.text')}</Typography>
      {tokens.length === 0 ? (
        <Empty text={say('clientTokens.none')} />
      ) : (
        <Table
          name={say('clientTokens.title')}
          columns={columns}
          rows={tokens}
          keyOf={({ id }) => id}
        />
      )}
      {creating ? <NewToken client={client} onMade={show} onClose={close} /> : null}
      {asked?.action === 'rotate' ? (
        <Rotate client={client} token={asked.token} onMade={show} onClose={close} />
      ) : null}
      {asked?.action === 'revoke' ? (
        <Revoke client={client} token={asked.token} onClose={close} />
      ) : null}
      {made === undefined ? null : <TokenDialog {...made} onClose={() => setMade(undefined)} />}
    </Section>
  );
};
