/** Contains the English texts for passkeys. */
export const passkeys = {
  title: 'Passkeys',
  text: 'A passkey replaces the code of the app: a fingerprint, a face, a PIN or a security key.',
  unavailable:
    'Passkeys work over https on a domain name, and on localhost; not on an IP address. Open the console there to add one.',
  none: 'You have no passkey.',
  name: 'Name',
  nameHelp: 'For example the device that keeps it.',
  host: 'Works on',
  otherHost: '%{host} (not here)',
  created: 'Added',
  used: 'Last used',
  never: 'Never',
  add: 'Add a passkey',
  addText: 'Your browser asks you to confirm. All your other sessions end.',
  added: 'The passkey was added.',
  remove: 'Remove',
  removeOf: 'Remove %{name}',
  removeText:
    'You can no longer sign in with it. Without another passkey or an authenticator app, the password alone is enough to sign in. All your other sessions end. Enter your password to confirm.',
  removed: 'The passkey was removed.',
  use: 'Use a passkey',
  onlyOn: 'Your passkeys work only on %{hosts}. Open the console there to use one.',
} as const;
