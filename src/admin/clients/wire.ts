/** Describes clients, their rules and tokens as the back office's API shows them. */
import { hash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { longestName } from '../../clients/client.ts';
import { type ClientRules, longestGuard } from '../../clients/rules/rules.ts';
import type { ClientWithMoney, TokenRow } from '../../clients/store.ts';
import { scopes } from '../../clients/token.ts';
import { networksOf, scopesOf, stateOf } from '../../clients/tokens.ts';
import { lastOperatorId } from '../../config/sections/operators.ts';
import { creditUsed, spendable } from '../../ledger/posting.ts';
import { GatewayError } from '../../lib/errors.ts';
import { mustBe } from '../../lib/field-texts.ts';
import { formatTime } from '../../lib/time.ts';
import { closed, exampleId, exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';

export const NameSchema = Type.String({
  maxLength: longestName,
  description: 'The name of the client. It need not be unique.',
});

export const StatusSchema = Type.Enum(['active', 'suspended'], {
  description: '`suspended`: all its requests are refused.',
});

export const TestSchema = Type.Boolean({ description: 'Whether it is a test client.' });

// Longer lists are better expressed by operators, or by a smaller catalogue.
const mostProducts = 10_000;

const positive = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const RulesSchema = Type.Object(
  {
    products: orNull(
      Type.Array(positive, { minItems: 1, maxItems: mostProducts }),
      'The IDs of the products it can buy; null for all.',
    ),
    operators: orNull(
      Type.Array(Type.Integer({ minimum: 1, maximum: lastOperatorId }), { minItems: 1 }),
      'The IDs of the operators whose products it can buy; null for all.',
    ),
    repeat_seconds: orNull(
      Type.Integer({ minimum: 1, maximum: longestGuard }),
      'For how many seconds an equal purchase for the same number is refused as a likely duplicate; null for never.',
    ),
    daily_limit: orNull(positive, 'The limit per business day; null for none.'),
    pending_status: Type.Enum([202, 409], {
      description: 'The HTTP status of a pending purchase.',
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

export const rulesToWire = (rules: ClientRules): Static<typeof RulesSchema> => ({
  products: rules.products === null ? null : [...rules.products],
  operators: rules.operators === null ? null : [...rules.operators].sort((one, two) => one - two),
  repeat_seconds: rules.repeatSeconds,
  daily_limit: rules.dailyLimit,
  pending_status: rules.pendingStatus,
});

/** Changes with the rules, so that a change based on old rules is recognized. */
export const versionOfRules = (rules: ClientRules): string =>
  hash('sha256', JSON.stringify(rulesToWire(rules)), 'base64url').slice(0, 22);

export const exampleRulesVersion = 'mA0oYcVw3mQm1hXo3k0H7w';

const readRules = (wire: Static<typeof RulesSchema>): ClientRules => ({
  products: wire.products,
  operators: wire.operators,
  repeatSeconds: wire.repeat_seconds,
  dailyLimit: wire.daily_limit,
  pendingStatus: wire.pending_status,
});

/** Refuses operators that do not exist. */
export const rulesFromWire = (
  wire: Static<typeof RulesSchema>,
  operatorIds: readonly number[],
): ClientRules => {
  if (wire.operators?.some((id) => !operatorIds.includes(id)) === true) {
    const ids = operatorIds.join(', ');
    const text = mustBe('operators', { en: `some of ${ids}`, fa: `از این‌ها باشد: ${ids}` });
    throw new GatewayError('VALIDATION_FAILED', { errors: { operators: [text] } });
  }
  return readRules(wire);
};

export const ScopesSchema = Type.Array(Type.Enum([...scopes]), {
  minItems: 1,
  description: 'The scopes of the token.',
});

export const NetworksSchema = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 100,
  description: 'The IP addresses and networks that can use it. Empty means all.',
});

export const TokenSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the token, not its secret.' }),
    name: Type.String({ description: 'The name of the token.' }),
    ending: Type.String({ description: 'The last characters of its secret.' }),
    state: Type.Enum(['valid', 'expired', 'revoked'], { description: 'The state.' }),
    scopes: ScopesSchema,
    networks: NetworksSchema,
    created_at: Type.String({ description: 'When it was created.' }),
    expires_at: textOrNull('When it expires; null if never.'),
    last_used_at: textOrNull('When it was last used, to a few seconds; null if never.'),
  },
  { title: 'Token', description: 'An access token of a client, without its secret.' },
);

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

export const credit = {
  credit_limit: Type.Integer({
    description: 'How far beyond its own money it can buy.',
  }),
  credit_used: Type.Integer({
    description: 'How much credit it uses: more than a lowered limit.',
  }),
};

export const ClientSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the client.' }),
    name: NameSchema,
    status: StatusSchema,
    available: Type.Integer({
      description: 'What it can spend, with its credit.',
    }),
    held: Type.Integer({ description: 'What is held for purchases in progress.' }),
    ...credit,
    created_at: Type.String({ description: 'When it was created.' }),
    low: Type.Boolean({ description: 'Whether its balance is low.' }),
    test: TestSchema,
  },
  { title: 'Client', description: 'A client and its balance.' },
);

export const exampleClient: Static<typeof ClientSchema> = {
  id: exampleId,
  name: 'My reseller',
  status: 'active',
  available: 4_582_000,
  held: 418_000,
  credit_limit: 2_000_000,
  credit_used: 0,
  created_at: exampleTime,
  low: false,
  test: false,
};

export const clientToWire = (
  client: ClientWithMoney,
  lowBelow: number,
): Static<typeof ClientSchema> => ({
  id: client.id,
  name: client.name,
  status: client.status,
  available: spendable(client),
  held: client.held,
  credit_limit: client.credit,
  credit_used: creditUsed(client),
  created_at: formatTime(client.created_at),
  low: client.test === 0 && spendable(client) < lowBelow,
  test: client.test === 1,
});

export const DetailSchema = Type.Object(
  {
    ...ClientSchema.properties,
    rules: Type.Object(RulesSchema.properties, {
      title: 'ClientRules',
      description: 'Its limits and purchase rules.',
    }),
    rules_version: Type.String({
      description: 'The version of the rules. Send it when you change them.',
    }),
    day: Type.Object(
      {
        spent: Type.Integer({ description: 'What it has spent this business day.' }),
        limit: orNull(Type.Integer(), 'The daily limit; null for none.'),
      },
      { description: 'Its spending today.' },
    ),
    tokens: Type.Array(TokenSchema, { description: 'Its tokens, oldest first.' }),
  },
  { title: 'ClientDetail', description: 'A client with its rules and tokens.' },
);

export type Detail = Static<typeof DetailSchema>;

export const exampleDetail: Detail = {
  ...exampleClient,
  rules: exampleRules,
  rules_version: exampleRulesVersion,
  day: { spent: 418_000, limit: 5_000_000 },
  tokens: [exampleToken],
};

export const exampleSecret = 'simgate_0Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3';
