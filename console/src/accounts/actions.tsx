/** Changes an account: role, status, two-factor authentication, sessions and setup link, each after confirmation. */
import { useState } from 'react';
import type { Given, OperationId } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import type { Account, Link } from './account.ts';
import { RoleField } from './role-field.tsx';

/** The simple ones: a sentence, a button, done. */
const plain = {
  disable: { id: 'updateAccount', danger: true },
  enable: { id: 'updateAccount', danger: false },
  resetFactor: { id: 'resetTotp', danger: true },
  resetPasskeys: { id: 'resetPasskeys', danger: true },
  endSessions: { id: 'endSessions', danger: true },
} as const satisfies Record<string, { readonly id: OperationId; readonly danger: boolean }>;

export type PlainAction = keyof typeof plain;
export type AccountAction = PlainAction | 'changeRole' | 'newLink';

export const isPlain = (action: AccountAction): action is PlainAction =>
  Object.hasOwn(plain, action);

/** The actions that apply to an account in its current state. */
export const actionsFor = ({ status, totp, passkeys }: Account): readonly AccountAction[] => [
  'changeRole',
  ...(status === 'active' ? (['newLink', 'endSessions'] as const) : []),
  ...(totp ? (['resetFactor'] as const) : []),
  ...(passkeys > 0 ? (['resetPasskeys'] as const) : []),
  status === 'active' ? 'disable' : 'enable',
];

type Props = { readonly account: Account; readonly onClose: () => void };

const listed = { changes: ['listAccounts', 'getMe'] } as const;

const bodies = {
  disable: { status: 'disabled' },
  enable: { status: 'active' },
  resetFactor: undefined,
  resetPasskeys: undefined,
  endSessions: undefined,
} as const satisfies Record<PlainAction, Given<'updateAccount'>['body'] | undefined>;

export const PlainDialog = ({
  action,
  account,
  onClose,
}: Props & { readonly action: PlainAction }) => {
  const say = useText();
  const done = useDone();
  const change = useAct('updateAccount', listed);
  const resetFactor = useAct('resetTotp', listed);
  const resetPasskeys = useAct('resetPasskeys', listed);
  const endSessions = useAct('endSessions', listed);
  const { name, id } = account;
  const params = { account_id: id };
  const body = bodies[action];
  const acts = { disable: change, enable: change, resetFactor, resetPasskeys, endSessions };
  const acting = acts[action];
  const onSuccess = (): void => {
    done('accounts.done');
    onClose();
  };
  const act = (): void => {
    if (body !== undefined) change.mutate({ params, body }, { onSuccess });
    else if (action === 'resetFactor') resetFactor.mutate({ params }, { onSuccess });
    else if (action === 'resetPasskeys') resetPasskeys.mutate({ params }, { onSuccess });
    else endSessions.mutate({ params }, { onSuccess });
  };
  return (
    <ConfirmDialog
      open
      danger={plain[action].danger}
      title={say(`accounts.${action}Title`, { name })}
      text={say(`accounts.${action}Text`)}
      confirm={say(`accounts.${action}`)}
      busy={acting.isPending}
      error={acting.error}
      onConfirm={act}
      onClose={onClose}
    />
  );
};

export const RoleDialog = ({ account, onClose }: Props) => {
  const say = useText();
  const done = useDone();
  const change = useAct('updateAccount', listed);
  const [role, setRole] = useState(account.role);
  const onSuccess = (): void => {
    done('accounts.done');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={say('accounts.changeRoleTitle', { name: account.name })}
      text={say('accounts.changeRoleText')}
      confirm={say('accounts.changeRole')}
      busy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate({ params: { account_id: account.id }, body: { role } }, { onSuccess })
      }
      onClose={onClose}
    >
      <RoleField value={role} onChoose={setRole} />
    </ConfirmDialog>
  );
};

export const NewLinkDialog = ({
  account,
  onMade,
  onClose,
}: Props & { readonly onMade: (link: Link) => void }) => {
  const say = useText();
  const create = useAct('createSetup', listed);
  return (
    <ConfirmDialog
      open
      danger
      title={say('accounts.newLinkTitle', { name: account.name })}
      text={say('accounts.newLinkText')}
      confirm={say('accounts.newLinkSubmit')}
      busy={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate({ params: { account_id: account.id } }, { onSuccess: onMade })}
      onClose={onClose}
    />
  );
};
