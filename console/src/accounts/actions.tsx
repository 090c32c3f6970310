/** Owns what an owner does with one account, each asked for before it is done. */
import { useState } from 'react';
import type { Given, OperationId } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { useText } from '../i18n/text.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { useDone } from '../parts/done.ts';
import type { Account, Link } from './account.ts';
import { RoleField } from './role-field.tsx';

/** The plain ones: a sentence, a button, done. */
const plain = {
  disable: { id: 'changeAccount', danger: true },
  enable: { id: 'changeAccount', danger: false },
  resetFactor: { id: 'resetTotp', danger: true },
  resetPasskeys: { id: 'resetPasskeys', danger: true },
  endSessions: { id: 'endSessions', danger: true },
} as const satisfies Record<string, { readonly id: OperationId; readonly danger: boolean }>;

export type PlainDeed = keyof typeof plain;
export type Deed = PlainDeed | 'changeRole' | 'newLink';

export const isPlain = (deed: Deed): deed is PlainDeed => Object.hasOwn(plain, deed);

/** Which make sense for an account as it is. */
export const deedsFor = ({ status, totp, passkeys }: Account): readonly Deed[] => [
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
} as const satisfies Record<PlainDeed, Given<'changeAccount'>['body'] | undefined>;

export const PlainDialog = ({ deed, account, onClose }: Props & { readonly deed: PlainDeed }) => {
  const say = useText();
  const done = useDone();
  const change = useAct('changeAccount', listed);
  const resetFactor = useAct('resetTotp', listed);
  const resetPasskeys = useAct('resetPasskeys', listed);
  const endSessions = useAct('endSessions', listed);
  const { name, id } = account;
  const params = { account_id: id };
  const body = bodies[deed];
  const acts = { disable: change, enable: change, resetFactor, resetPasskeys, endSessions };
  const acting = acts[deed];
  const onSuccess = (): void => {
    done('accounts.done');
    onClose();
  };
  const act = (): void => {
    if (body !== undefined) change.mutate({ params, body }, { onSuccess });
    else if (deed === 'resetFactor') resetFactor.mutate({ params }, { onSuccess });
    else if (deed === 'resetPasskeys') resetPasskeys.mutate({ params }, { onSuccess });
    else endSessions.mutate({ params }, { onSuccess });
  };
  return (
    <ConfirmDialog
      open
      danger={plain[deed].danger}
      title={say(`accounts.${deed}Title`, { name })}
      text={say(`accounts.${deed}Text`)}
      confirm={say(`accounts.${deed}`)}
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
  const change = useAct('changeAccount', listed);
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
  const issue = useAct('issueSetup', listed);
  return (
    <ConfirmDialog
      open
      danger
      title={say('accounts.newLinkTitle', { name: account.name })}
      text={say('accounts.newLinkText')}
      confirm={say('accounts.newLinkSubmit')}
      busy={issue.isPending}
      error={issue.error}
      onConfirm={() => issue.mutate({ params: { account_id: account.id } }, { onSuccess: onMade })}
      onClose={onClose}
    />
  );
};
