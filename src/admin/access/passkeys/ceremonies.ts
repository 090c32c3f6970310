/** Runs the two WebAuthn ceremonies: the options for a browser, and the check of what it sends back. */
import { listIn } from '../../../lib/json/list.ts';
import type { AccountRow } from '../store.ts';
import type { RelyingParty } from './relying-party.ts';
import type { PasskeyRow } from './store.ts';
import { type Assertion, longestCredentialId, type Registration } from './wire.ts';

/** EdDSA, ES256 and RS256: named, so that an update of the library adds none. */
const algorithms = [-8, -7, -257];

/** How long a person may take. */
export const ceremonyMs = 300_000;

export type NewCredential = Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'counter' | 'transports'
>;

// Loaded at the first use: it is large, and most starts never need it.
const library = () => import('@simplewebauthn/server');

const descriptorsOf = (passkeys: readonly PasskeyRow[]) =>
  passkeys.map((one) => ({
    id: one.credential_id,
    transports: listIn(one.transports).filter((name) => typeof name === 'string'),
  }));

type Begun = { readonly challenge: Uint8Array; readonly passkeys: readonly PasskeyRow[] };

/** What a browser needs to make a credential that the account does not have yet. */
export const registrationOptions = async (
  { id: rpID }: RelyingParty,
  account: Pick<AccountRow, 'id' | 'name'>,
  { challenge, passkeys }: Begun,
) => {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Simgate',
    rpID,
    userID: Buffer.from(account.id),
    userName: account.name,
    userDisplayName: account.name,
    challenge: Buffer.from(challenge),
    timeout: ceremonyMs,
    // The authenticator's maker is not requested: any may be used.
    attestationType: 'none',
    excludeCredentials: descriptorsOf(passkeys),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: algorithms,
  });
};

/** What a browser needs to sign with one of the passkeys. */
export const assertionOptions = async (
  { id: rpID }: RelyingParty,
  { challenge, passkeys }: Begun,
) => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID,
    allowCredentials: descriptorsOf(passkeys),
    challenge: Buffer.from(challenge),
    timeout: ceremonyMs,
    userVerification: 'preferred',
  });
};

const expected = (party: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  // The password is the first factor: to hold the authenticator is enough for the second.
  requireUserVerification: false,
});

/** In the form that the library takes. */
const credentialOf = <Response>(id: string, response: Response) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
  response,
});

/** Undefined if the work throws: the library throws when verification fails. */
const ifVerified = async <T>(work: () => Promise<T | undefined>): Promise<T | undefined> => {
  try {
    return await work();
  } catch {
    return undefined;
  }
};

/** The credential; undefined if it does not verify. */
export const verifyRegistration = async (
  party: RelyingParty,
  challenge: string,
  { id, response }: Registration,
): Promise<NewCredential | undefined> => {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  return ifVerified(async () => {
    const { clientDataJSON, attestationObject } = response;
    const attestation = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
    // For certificates, the library would request the addresses in them. We ask for no certificates.
    const fmt = attestation.get('fmt');
    if (fmt !== 'none' && (fmt !== 'packed' || attestation.get('attStmt').get('x5c'))) {
      return undefined;
    }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: credentialOf(id, { clientDataJSON, attestationObject }),
      ...expected(party, challenge),
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { credential } = registrationInfo;
    if (credential.id !== id || id.length > longestCredentialId) return undefined;
    return {
      credential_id: id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(response.transports ?? []),
    };
  });
};

/** The counter of the signature; undefined if it does not verify, or if the counter went back. */
export const verifyAssertion = async (
  party: RelyingParty,
  challenge: string,
  { response, passkey }: Pick<Assertion, 'response'> & { readonly passkey: PasskeyRow },
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await library();
  const { credential_id: id, public_key: publicKey, counter } = passkey;
  const { clientDataJSON, authenticatorData, signature } = response;
  return ifVerified(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credentialOf(id, { clientDataJSON, authenticatorData, signature }),
      credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
      ...expected(party, challenge),
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
};
