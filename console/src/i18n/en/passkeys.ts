/** Contains the English texts for passkeys. */
export const passkeys = {
  title: 'Passkeys',
  text: 'Sign in with a fingerprint, face, PIN or security key instead of a code.',
  unavailable:
    'Passkeys need HTTPS and a domain name, or localhost. They do not work on an IP address.',
  none: 'You have no passkey.',
  name: 'Name',
  nameHelp: 'Such as the device that keeps it.',
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
