/** Creates and uses passkeys in the browser: converts WebAuthn's JSON to and from `navigator.credentials`. */
import { type Answer, ApiError, type Given } from './api/client.ts';

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
    byte.charCodeAt(0),
  );

const encode = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const transports = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const;
const isTransport = (text: string): text is (typeof transports)[number] =>
  transports.some((one) => one === text);

type Descriptors = Answer<'beginPasskeySignIn'>['allowCredentials'];

const descriptorsOf = (given: Descriptors = []): PublicKeyCredentialDescriptor[] =>
  given.map((one) => ({
    id: decode(one.id),
    type: 'public-key',
    transports: (one.transports ?? []).filter(isTransport),
  }));

/** By the names of WebAuthn errors. A cancellation and a timeout look the same. */
const codes: Readonly<Record<string, string>> = {
  InvalidStateError: 'PASSKEY_KNOWN',
  SecurityError: 'PASSKEYS_UNAVAILABLE',
};

const failure = (code: string): ApiError => new ApiError('', { code, status: 0 });

const isPasskey = (credential: Credential | null): credential is PublicKeyCredential =>
  credential?.type === 'public-key';

const asked = async (ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> => {
  if (!('PublicKeyCredential' in window)) throw failure('PASSKEYS_UNAVAILABLE');
  const credential = await ask().catch((error: unknown) => {
    throw failure((error instanceof Error && codes[error.name]) || 'PASSKEY_CANCELLED');
  });
  if (!isPasskey(credential)) throw failure('PASSKEY_CANCELLED');
  return credential;
};

const isNew = (response: AuthenticatorResponse): response is AuthenticatorAttestationResponse =>
  'attestationObject' in response;

/** Makes a passkey. */
export const createPasskey = async (
  options: Answer<'beginMyPasskey'>,
): Promise<Given<'addMyPasskey'>['body']['credential']> => {
  const { challenge, rp, user, pubKeyCredParams, excludeCredentials } = options;
  const { id, response } = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: decode(challenge),
        rp,
        user: { ...user, id: decode(user.id) },
        pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
        excludeCredentials: descriptorsOf(excludeCredentials),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        attestation: 'none',
        ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      },
    }),
  );
  if (!isNew(response)) throw failure('PASSKEY_CANCELLED');
  return {
    id,
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports(),
    },
  };
};

const isSigned = (response: AuthenticatorResponse): response is AuthenticatorAssertionResponse =>
  'signature' in response;

/** Signs with a passkey. */
export const getPasskey = async (
  options: Answer<'beginPasskeySignIn'>,
): Promise<Given<'sendPasskey'>['body']['credential']> => {
  const { challenge, rpId, allowCredentials, timeout } = options;
  const { id, response } = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: decode(challenge),
        allowCredentials: descriptorsOf(allowCredentials),
        userVerification: 'preferred',
        ...(rpId === undefined ? {} : { rpId }),
        ...(timeout === undefined ? {} : { timeout }),
      },
    }),
  );
  if (!isSigned(response)) throw failure('PASSKEY_CANCELLED');
  return {
    id,
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
    },
  };
};
