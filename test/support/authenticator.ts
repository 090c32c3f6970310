/** Simulates a WebAuthn authenticator for tests: creates ES256 credentials and signs with them. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Assertion, Registration } from '../../src/admin/access/passkeys/wire.ts';

/** A head of CBOR: the major type, and a number below 65,536. */
const head = (major: number, value: number): Buffer => {
  const first = major * 32;
  if (value < 24) return Buffer.from([first + value]);
  if (value < 256) return Buffer.from([first + 24, value]);
  return Buffer.from([first + 25, value >> 8, value & 255]);
};

export type Cbor = number | string | Buffer | readonly Cbor[] | Map<number | string, Cbor>;

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const pairs = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
};

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

/** A curve, and the COSE numbers of it and of its algorithm. */
const curves = {
  ES256: { namedCurve: 'P-256', crv: 1, alg: -7, hash: 'sha256' },
  ES384: { namedCurve: 'P-384', crv: 2, alg: -35, hash: 'sha384' },
} as const;

type Page = {
  /** The origin of the page. */
  readonly origin: string;
  readonly host: string;
  readonly challenge: string;
};

export type TestAuthenticator = {
  readonly register: (page: Page, statement?: Statement) => Registration;
  /** Signs with the next counter, or with the given one. */
  readonly sign: (page: Page, counter?: number) => Assertion;
};

export type Statement = { readonly fmt: string; readonly attStmt: Map<number | string, Cbor> };

const none: Statement = { fmt: 'none', attStmt: new Map() };

const clientData = (type: string, { challenge, origin }: Page): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

// User present, user verified, attested credential data.
const flags = { present: 1, verified: 4, attested: 64 };

const authenticatorData = (host: string, flag: number, counter: number): Buffer => {
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter);
  return Buffer.concat([sha256(host), Buffer.from([flag]), counted]);
};

/** One credential. */
export const createAuthenticator = (curve: keyof typeof curves = 'ES256'): TestAuthenticator => {
  const { namedCurve, crv, alg, hash } = curves[curve];
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  const key = new Map<number | string, Cbor>([
    [1, 2],
    [3, alg],
    [-1, crv],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  let uses = 0;
  return {
    register: (page, { fmt, attStmt } = none) => {
      const data = Buffer.concat([
        authenticatorData(page.host, flags.present + flags.verified + flags.attested, uses),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cbor(key),
      ]);
      const attestation = new Map<number | string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', data],
      ]);
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: clientData('webauthn.create', page).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['usb'],
        },
      };
    },
    sign: (page, counter) => {
      uses += 1;
      const client = clientData('webauthn.get', page);
      const data = authenticatorData(page.host, flags.present, counter ?? uses);
      const signed = Buffer.concat([data, sha256(client)]);
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign(hash, signed, privateKey).toString('base64url'),
        },
      };
    },
  };
};
