/** Lists the console's accounts with their roles, and opens the actions on them. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { AddIcon, MoreIcon } from '../design/icons.tsx';
import { MenuButton } from '../design/input/menu-button.tsx';
import { Page } from '../design/page/page.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../session.tsx';
import type { Account, Link } from './account.ts';
import {
  type AccountAction,
  actionsFor,
  isPlain,
  NewLinkDialog,
  PlainDialog,
  RoleDialog,
} from './actions.tsx';
import { Create } from './create.tsx';
import { LinkDialog } from './link-dialog.tsx';

type Asked = { readonly action: AccountAction; readonly account: Account };

const useColumns = (ask: (asked: Asked) => void): readonly Column<Account>[] => {
  const say = useText();
  const { time } = useFormat();
  const { account: me } = useMe();
  return [
    {
      key: 'name',
      label: say('accounts.name'),
      cell: ({ id, name }) => (id === me.id ? say('accounts.you', { name }) : name),
    },
    {
      key: 'role',
      phone: 'line',
      label: say('accounts.role'),
      cell: ({ role }) => say(`roles.${role}`),
    },
    {
      key: 'status',
      phone: 'line',
      label: say('accounts.status'),
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'good' : 'bad'} label={say(`roles.${status}`)} />
      ),
    },
    {
      key: 'password',
      label: say('accounts.password'),
      cell: ({ password }) => say(password ? 'accounts.passwordSet' : 'accounts.passwordMissing'),
    },
    {
      key: 'factor',
      label: say('accounts.factor'),
      cell: ({ totp, passkeys }) =>
        say(totp || passkeys > 0 ? 'accounts.factorOn' : 'accounts.factorOff'),
    },
    {
      key: 'signedIn',
      label: say('accounts.signedIn'),
      cell: ({ signed_in_at: at }) => (at === null ? say('accounts.never') : time(at, 'short')),
    },
    {
      key: 'actions',
      phone: 'end',
      label: say('common.actions'),
      cell: (account) => (
        <MenuButton
          label={say('accounts.actionsOf', { name: account.name })}
          icon={<MoreIcon />}
          options={actionsFor(account).map((action) => ({
            key: action,
            label: say(`accounts.${action}`),
            choose: () => ask({ action, account }),
          }))}
        />
      ),
    },
  ];
};

/** The dialog of the chosen action. */
const Asking = ({
  asked: { action, account },
  onLink,
  onClose,
}: {
  readonly asked: Asked;
  readonly onLink: (link: Link) => void;
  readonly onClose: () => void;
}) => {
  const props = { account, onClose };
  if (isPlain(action)) return <PlainDialog {...props} action={action} />;
  if (action === 'newLink') return <NewLinkDialog {...props} onMade={onLink} />;
  return <RoleDialog {...props} />;
};

export default function Accounts() {
  const say = useText();
  const list = useRead('listAccounts', {});
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [creating, setCreating] = useState(false);
  const [link, setLink] = useState<Link | undefined>(undefined);
  const columns = useColumns(setAsked);
  const close = (): void => {
    setAsked(undefined);
    setCreating(false);
  };
  const show = (made: Link): void => {
    close();
    setLink(made);
  };
  return (
    <Page
      title={say('pages.accounts')}
      actions={
        <Button variant="contained" startIcon={<AddIcon />} onClick={() => setCreating(true)}>
          {say('accounts.create')}
        </Button>
      }
    >
      <ErrorState error={list.error} retry={() => void list.refetch()} />
      {list.isPending ? <Loading /> : null}
      {list.data && list.data.second_factor_roles.length > 0 ? (
        <Alert severity="info" variant="outlined">
          {say('safety.requiredFor', {
            roles: list.data.second_factor_roles
              .map((role) => say(`roles.${role}`))
              .join(say('safety.comma')),
          })}
        </Alert>
      ) : null}
      {list.data ? (
        <Table
          name={say('pages.accounts')}
          columns={columns}
          rows={list.data.data}
          keyOf={({ id }) => id}
        />
      ) : null}
      {creating ? <Create onMade={show} onClose={close} /> : null}
      {asked === undefined ? null : <Asking asked={asked} onLink={show} onClose={close} />}
      {link === undefined ? null : <LinkDialog link={link} onClose={() => setLink(undefined)} />}
    </Page>
  );
}
