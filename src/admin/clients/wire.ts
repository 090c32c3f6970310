/** Describes clients, their rules and tokens as the back office's API shows them. */
import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { longestName } from '../../clients/client.ts';
import { type ClientRules, longestGuard } from '../../clients/rules/rules.ts';
import type { ClientWithMoney, TokenRow } from '../../clients/store.ts';
import { scopes } from '../../clients/token.ts';
import { networksOf, scopesOf, stateOf } from '../../clients/tokens.ts';
import { operatorIds } from '../../config/sections/operators.ts';
import { formatTime } from '../../lib/time.ts';
import { closed, exampleId, exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';

export const NameSchema = Type.String({
  maxLength: longestName,
  description: 'What the client is called. Names need not be unique.',
});

export const StatusSchema = Type.Enum(['active', 'suspended'], {
  description: '`suspended`: all its requests are refused.',
});

// A list that is longer is better said by the operators, or by a catalogue of fewer products.
const mostProducts = 10_000;

const positive = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const RulesSchema = Type.Object(
  {
    products: orNull(
      Type.Array(positive, { minItems: 1, maxItems: mostProducts }),
      'The ids of the products that it may buy; null: all.',
    ),
    operators: orNull(
      Type.Array(Type.Enum([...operatorIds]), { minItems: 1 }),
      'The ids of the operators of which it may buy; null: all.',
    ),
    repeat_seconds: orNull(
      Type.Integer({ minimum: 1, maximum: longestGuard }),
      'For how long the same for the same number at the same price is taken for a repeat; null: it never is.',
    ),
    daily_limit: orNull(positive, 'The most that it may spend on a day in UTC; null: no limit.'),
    pending_status: Type.Enum([202, 409], {
      description: 'The status of a purchase that is not finished.',
    }),
  },
  closed,
);

export const exampleRules: Static<typeof RulesSchema> = {
  products: null,
  operators: [1, 2],
  repeat_seconds: 60,
  daily_limit: 5_000_000,
  pending_status: 202,
};

const knownOperators = (ids: readonly number[]) =>
  operatorIds.filter((operator) => ids.includes(operator));

export const rulesToWire = (rules: ClientRules): Static<typeof RulesSchema> => ({
  products: rules.products === null ? null : [...rules.products],
  operators: rules.operators === null ? null : knownOperators(rules.operators),
  repeat_seconds: rules.repeatSeconds,
  daily_limit: rules.dailyLimit,
  pending_status: rules.pendingStatus,
});

/** Changes with the rules, so that a change based on old rules is recognized. */
export const versionOfRules = (rules: ClientRules): string =>
  hash('sha256', JSON.stringify(rulesToWire(rules)), 'base64url').slice(0, 22);

export const exampleRulesVersion = 'mA0oYcVw3mQm1hXo3k0H7w';

export const rulesFromWire = (wire: Static<typeof RulesSchema>): ClientRules => ({
  products: wire.products,
  operators: wire.operators,
  repeatSeconds: wire.repeat_seconds,
  dailyLimit: wire.daily_limit,
  pendingStatus: wire.pending_status,
});

export const ScopesSchema = Type.Array(Type.Enum([...scopes]), {
  minItems: 1,
  description: 'What it may be used for.',
});

export const NetworksSchema = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description: 'The addresses and networks from which it may be used; none: from anywhere.',
});

export const TokenSchema = Type.Object({
  id: Type.String({ description: 'The token; never what is sent.' }),
  name: Type.String({ description: 'What it is for.' }),
  ending: Type.String({ description: 'Its last characters, to tell two apart.' }),
  state: Type.Enum(['valid', 'expired', 'revoked'], { description: 'Whether it lets in.' }),
  scopes: ScopesSchema,
  networks: NetworksSchema,
  created_at: Type.String({ description: 'When it was made.' }),
  expires_at: textOrNull('When it ends by itself; null: never.'),
  last_used_at: textOrNull('When it was last used, to some seconds; null: never.'),
});

export const exampleToken: Static<typeof TokenSchema> = {
  id: exampleId,
  name: 'the shop',
  ending: '4Xc2',
  state: 'valid',
  scopes: [...scopes],
  networks: ['192.0.2.0/24'],
  created_at: exampleTime,
  expires_at: null,
  last_used_at: exampleTime,
};

export const tokenToWire = (token: TokenRow, now: number): Static<typeof TokenSchema> => ({
  id: token.id,
  name: token.name,
  ending: token.ending,
  state: stateOf(token, now),
  scopes: scopesOf(token),
  networks: networksOf(token),
  created_at: formatTime(token.created_at),
  expires_at: timeOrNull(token.expires_at),
  last_used_at: timeOrNull(token.last_used_at),
});

export const ClientSchema = Type.Object({
  id: Type.String({ description: 'The client.' }),
  name: NameSchema,
  status: StatusSchema,
  available: Type.Integer({ description: 'What it may spend.' }),
  held: Type.Integer({ description: 'What is held for its purchases under way.' }),
  created_at: Type.String({ description: 'When it was made.' }),
  low: Type.Boolean({ description: 'Whether it may spend little.' }),
});

export const exampleClient: Static<typeof ClientSchema> = {
  id: exampleId,
  name: 'My reseller',
  status: 'active',
  available: 4_582_000,
  held: 418_000,
  created_at: exampleTime,
  low: false,
};

export const clientToWire = (
  client: ClientWithMoney,
  lowBelow: number,
): Static<typeof ClientSchema> => ({
  id: client.id,
  name: client.name,
  status: client.status,
  available: client.available,
  held: client.held,
  created_at: formatTime(client.created_at),
  low: client.available < lowBelow,
});

export const DetailSchema = Type.Object({
  ...ClientSchema.properties,
  rules: Type.Object(RulesSchema.properties, { description: 'What is set for it.' }),
  rules_version: Type.String({ description: 'Send it along with other rules.' }),
  day: Type.Object(
    {
      spent: Type.Integer({ description: 'What it has spent on this day in UTC.' }),
      limit: orNull(Type.Integer(), 'The most that it may; null: no limit.'),
    },
    { description: 'Its day.' },
  ),
  tokens: Type.Array(TokenSchema, { description: 'All of them, the oldest first.' }),
});

export type Detail = Static<typeof DetailSchema>;

export const exampleDetail: Detail = {
  ...exampleClient,
  rules: exampleRules,
  rules_version: exampleRulesVersion,
  day: { spent: 418_000, limit: 5_000_000 },
  tokens: [exampleToken],
};

export const exampleSecret = 'simgate_0Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3';
