/** Describes passkeys as the API shows them: the back office's lists and WebAuthn's JSON forms. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../../lib/time.ts';
import { exampleId, exampleTime, textOrNull, timeOrNull } from '../../wire.ts';
import type { RelyingParty } from './relying-party.ts';
import type { PasskeyRow } from './store.ts';

const exampleCredential = 'q2Jm0c4kq4m3o1bq9nP6wA';
const exampleChallenge = 'k2Jm0c4kq4m3o1bq9nP6wZ8yXr7sT5uV3aB1cD2eF4g';

export const PasskeySchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the passkey.' }),
    name: Type.String({ description: 'The name that you gave it.' }),
    host: Type.String({ description: 'The host on which it works.' }),
    usable: Type.Boolean({ description: 'Whether it works on the host of this request.' }),
    created_at: Type.String({ description: 'When it was added.' }),
    used_at: textOrNull('When it was last used; null: never.'),
  },
  { title: 'Passkey', description: 'A passkey of an account.' },
);

export const PasskeysSchema = Type.Object(
  {
    data: Type.Array(PasskeySchema, { description: 'The passkeys, oldest first.' }),
    available: Type.Boolean({
      description:
        'Whether passkeys can be used on the host of this request: over https on a domain name, or on localhost.',
    }),
  },
  { title: 'Passkeys', description: 'The passkeys of an account.' },
);

export const examplePasskeys: Static<typeof PasskeysSchema> = {
  data: [
    {
      id: exampleId,
      name: 'Office key',
      host: 'gate.example',
      usable: true,
      created_at: exampleTime,
      used_at: null,
    },
  ],
  available: true,
};

export const passkeysToWire = (
  passkeys: readonly PasskeyRow[],
  party: RelyingParty | undefined,
): Static<typeof PasskeysSchema> => ({
  data: passkeys.map(({ id, name, rp_id: host, created_at: created, used_at: used }) => ({
    id,
    name,
    host,
    usable: host === party?.id,
    created_at: formatTime(created),
    used_at: timeOrNull(used),
  })),
  available: party !== undefined,
});

export const FactorsSchema = Type.Object(
  {
    totp: Type.Boolean({ description: 'Whether you can send a code of an authenticator app.' }),
    passkey: Type.Boolean({
      description: 'Whether a passkey can be used on the host of this request.',
    }),
    passkey_hosts: Type.Array(Type.String(), {
      description: 'The hosts on which passkeys of the account work.',
    }),
  },
  { title: 'SecondFactors', description: 'The second factors of a sign-in.' },
);

export const exampleFactors: Static<typeof FactorsSchema> = {
  totp: false,
  passkey: true,
  passkey_hosts: ['gate.example'],
};

const bytes = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description} In base64url.`,
  });

/** Of a credential ID in base64url: 1023 bytes, as WebAuthn bounds it. */
export const longestCredentialId = 1364;

const CredentialId = bytes(longestCredentialId, 'The credential ID.');
const Transports = Type.Array(Type.String({ maxLength: 32 }), {
  maxItems: 8,
  description: 'How a browser reaches the authenticator.',
});

const Kind = Type.String({ description: 'Always `public-key`.' });

const Descriptor = Type.Object({
  id: Type.String({ description: 'The credential ID, in base64url.' }),
  type: Kind,
  transports: Type.Optional(Transports),
});

const challenge = Type.String({
  description: 'Random bytes to sign, in base64url. They work once.',
});
const timeout = Type.Integer({ description: 'The timeout in milliseconds.' });
const verification = Type.String({
  description: 'Whether the authenticator asks for a PIN or a fingerprint.',
});

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const CreationOptionsSchema = Type.Object(
  {
    challenge,
    rp: Type.Object(
      {
        id: Type.Optional(Type.String({ description: 'The domain name.' })),
        name: Type.String({ description: 'The name that browsers show.' }),
      },
      { description: 'The relying party.' },
    ),
    user: Type.Object(
      {
        id: Type.String({ description: 'The ID of the account, in base64url.' }),
        name: Type.String({ description: 'The name of the account.' }),
        displayName: Type.String({ description: 'The name of the account.' }),
      },
      { description: 'The account.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        type: Kind,
        alg: Type.Integer({ description: 'A COSE algorithm.' }),
      }),
      { description: 'The algorithms that are accepted.' },
    ),
    timeout: Type.Optional(timeout),
    attestation: Type.Optional(Type.String({ description: 'Always `none`.' })),
    excludeCredentials: Type.Optional(
      Type.Array(Descriptor, { description: 'Those that the account has.' }),
    ),
    authenticatorSelection: Type.Optional(
      Type.Object(
        {
          residentKey: Type.Optional(
            Type.String({ description: 'Whether the authenticator keeps the credential.' }),
          ),
          userVerification: Type.Optional(verification),
        },
        { description: 'Which authenticators suit.' },
      ),
    ),
  },
  { title: 'PasskeyCreationOptions', description: 'Options for `navigator.credentials.create()`.' },
);

export const exampleCreation: Static<typeof CreationOptionsSchema> = {
  challenge: exampleChallenge,
  rp: { id: 'gate.example', name: 'Simgate' },
  user: { id: 'MDE5YThmM2U', name: 'office', displayName: 'office' },
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  timeout: 300_000,
  attestation: 'none',
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
};

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const RequestOptionsSchema = Type.Object(
  {
    challenge,
    rpId: Type.Optional(Type.String({ description: 'The domain name.' })),
    timeout: Type.Optional(timeout),
    allowCredentials: Type.Optional(
      Type.Array(Descriptor, { description: 'The passkeys of the account that work here.' }),
    ),
    userVerification: Type.Optional(verification),
  },
  { title: 'PasskeyRequestOptions', description: 'Options for `navigator.credentials.get()`.' },
);

export const exampleRequest: Static<typeof RequestOptionsSchema> = {
  challenge: exampleChallenge,
  rpId: 'gate.example',
  timeout: 300_000,
  allowCredentials: [{ id: exampleCredential, type: 'public-key', transports: ['usb'] }],
  userVerification: 'preferred',
};

const clientDataJSON = bytes(4096, 'What the browser says of itself.');

/** `RegistrationResponseJSON` of WebAuthn, as far as it is read. */
export const RegistrationSchema = Type.Object(
  {
    id: CredentialId,
    response: Type.Object(
      {
        clientDataJSON,
        attestationObject: bytes(16_384, 'The new credential.'),
        transports: Type.Optional(Transports),
      },
      { description: 'What the authenticator has made.' },
    ),
  },
  { description: 'What `navigator.credentials.create()` gave, as JSON.' },
);

export type Registration = Static<typeof RegistrationSchema>;

export const exampleRegistration: Registration = {
  id: exampleCredential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['usb'],
  },
};

/** `AuthenticationResponseJSON` of WebAuthn, as far as it is read. */
export const AssertionSchema = Type.Object(
  {
    id: CredentialId,
    response: Type.Object(
      {
        clientDataJSON,
        authenticatorData: bytes(4096, 'What the authenticator says of itself.'),
        signature: bytes(2048, 'Its signature.'),
      },
      { description: 'What the authenticator has signed.' },
    ),
  },
  { description: 'What `navigator.credentials.get()` gave, as JSON.' },
);

export type Assertion = Static<typeof AssertionSchema>;

export const exampleAssertion: Assertion = {
  id: exampleCredential,
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQCdwB',
  },
};
