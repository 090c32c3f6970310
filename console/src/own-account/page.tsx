/** Shows the user's own account: password, two-factor authentication, passkeys and sessions. */

import { DescriptionList } from '../design/data/description-list.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../session.tsx';
import { Changes } from './changes.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export default function OwnAccount() {
  const say = useText();
  const { time } = useFormat();
  const { account, session_ends_at: ends } = useMe();
  const { name, role, signed_in_at: signedIn } = account;
  return (
    <Page title={say('pages.ownAccount')}>
      <Section title={say('ownAccount.who')}>
        <DescriptionList
          rows={[
            [say('ownAccount.name'), name],
            [say('ownAccount.role'), say(`roles.${role}`)],
            [
              say('ownAccount.signedIn'),
              signedIn === null ? say('common.none') : time(signedIn, 'short'),
            ],
            [say('ownAccount.sessionEnds'), time(ends, 'short')],
          ]}
        />
      </Section>
      <Password />
      <SecondFactor />
      <Passkeys />
      {account.totp || account.passkeys > 0 ? <RecoveryCodes /> : null}
      <Sessions />
      <Changes />
    </Page>
  );
}
