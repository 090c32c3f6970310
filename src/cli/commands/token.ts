/** Defines the token commands: create, list, revoke. */
import { createToken, revokeToken } from '../../admin/clients/actions.ts';
import { listTokens } from '../../clients/store.ts';
import { isScope, type Scope, scopes } from '../../clients/token.ts';
import { networksOf, scopesOf, stateOf } from '../../clients/tokens.ts';
import { systemClock } from '../../lib/clock.ts';
import { byOption, runAudited } from '../audited.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  isoOrNull,
  operand,
  table,
  textOption,
  textsOption,
  withDatabase,
} from '../definition.ts';

const readScopes = (args: Arguments): Scope[] | undefined =>
  textsOption(args, 'scope')
    ?.flatMap((text) => text.split(','))
    .map((text) => {
      if (isScope(text)) return text;
      throw new InvalidUsage(`--scope must be one of: ${scopes.join(', ')}; not "${text}".`);
    });

// The maximum of a date; to never expire, leave the option out.
const lastMoment = 8_640_000_000_000_000;

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

const readExpiry = (args: Arguments): number | undefined => {
  const text = textOption(args, 'expires');
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+)([dhm])$/.exec(text) ?? [];
  const now = systemClock.now();
  const at = count === undefined ? Date.parse(text) : now + Number(count) * (unitMs[unit] ?? 0);
  if (at > now && at <= lastMoment) return at;
  throw new InvalidUsage(
    `--expires must be a time in the future, such as 90d, 12h or 2027-01-31, not "${text}".`,
  );
};

export const tokenCreate: Command = {
  name: 'token create',
  summary: 'Create a token for a client. It is shown once.',
  operands: ['CLIENT_ID'],
  options: {
    name: { value: 'NAME', about: 'What the token is for.' },
    scope: { value: 'SCOPE', many: true, about: `One of ${scopes.join(', ')} (default: all).` },
    network: {
      value: 'CIDR',
      many: true,
      about: 'Networks that may use it (default: any).',
    },
    expires: {
      value: 'WHEN',
      about: 'When it expires, such as 90d, 12h or 2027-01-31 (default: never).',
    },
    ...byOption,
  },
  run: async (args) => {
    const clientId = operand(args, 0);
    const name = textOption(args, 'name');
    const networks = textsOption(args, 'network');
    const asked = readScopes(args);
    const expiresAt = readExpiry(args);
    const wanted = { name, scopes: asked, networks, expiresAt };
    const { id, token } = await runAudited(args, (acting) => createToken(acting, clientId, wanted));
    return {
      data: { id, client_id: clientId, token, scopes: asked ?? scopes },
      text: `Created the token ${id}. It is shown only now:\n\n  ${token}\n`,
    };
  },
};

export const tokenList: Command = {
  name: 'token list',
  summary: 'List tokens of one client or of all, without their secrets.',
  operands: ['[CLIENT_ID]'],
  run: async (args) => {
    const tokens = await withDatabase(({ db }) => listTokens(db, args.operands[0]));
    const now = systemClock.now();
    const data = tokens.map((token) => ({
      id: token.id,
      client_id: token.client_id,
      name: token.name,
      ending: token.ending,
      state: stateOf(token, now),
      scopes: scopesOf(token),
      networks: networksOf(token),
      created_at: isoOrNull(token.created_at),
      expires_at: isoOrNull(token.expires_at),
      revoked_at: isoOrNull(token.revoked_at),
      last_used_at: isoOrNull(token.last_used_at),
    }));
    return {
      data,
      text: table(
        {
          ID: 'id',
          CLIENT: 'client_id',
          NAME: 'name',
          'ENDS IN': 'ending',
          STATE: 'state',
          EXPIRES: 'expires_at',
          'LAST USED': 'last_used_at',
        },
        data.map(({ expires_at: ends, last_used_at: used, ...token }) => ({
          ...token,
          expires_at: ends ?? 'never',
          last_used_at: used ?? 'never',
        })),
      ),
    };
  },
};

export const tokenRevoke: Command = {
  name: 'token revoke',
  summary: 'Revoke a token permanently, within a second.',
  operands: ['TOKEN_ID'],
  options: byOption,
  run: async (args) => {
    const id = operand(args, 0);
    await runAudited(args, (acting) => revokeToken(acting, { id }));
    return { data: { id, state: 'revoked' }, text: `Token ${id} is revoked.` };
  },
};
