/** Revokes a token after confirmation. */
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { type Client, ofClient, type Token } from './client.ts';
import { nameOf } from './token.ts';

export const Revoke = ({
  client,
  token,
  onClose,
}: {
  readonly client: Client;
  readonly token: Token;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const revoke = useAct('revokeToken', { changes: ofClient });
  const onSuccess = (): void => {
    done('clientTokens.revokeDone');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('clientTokens.revokeTitle', { name: nameOf(say, token) })}
      text={say('clientTokens.revokeText')}
      confirm={say('clientTokens.revoke')}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate({ params: { client_id: client.id, token_id: token.id } }, { onSuccess })
      }
      onClose={onClose}
    />
  );
};
