/** Describes what the back office's API shows of accounts, sessions and the audit log, and the errors of its routes. */
import type { Readable } from 'node:stream';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { fieldOf } from '../lib/record.ts';
import { formatTime } from '../lib/time.ts';
import { longest, shortest } from './access/passwords/password.ts';
import { rights, rightsOf, roles } from './access/roles.ts';
import { endOf, type SessionLimits } from './access/session.ts';
import type { Visit } from './access/sign-in.ts';
import type { AccountRow, AuditRow } from './access/store.ts';
import { type AdminErrorCode, adminErrorOf } from './errors.ts';
import { type Mask, maskWithin } from './mask.ts';

export const exampleId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
export const exampleTime = '2026-01-31T09:30:00.000000Z';

export const closed = { additionalProperties: false };

/** A body with these fields and no others. */
export const bodyOf = <T extends TProperties>(fields: T, example: Static<TObject<T>>) =>
  Type.Object(fields, { ...closed, examples: [example] });

export const answer = <T extends TSchema>(schema: T, description: string, example: Static<T>) => ({
  ...schema,
  description,
  examples: [example],
});

export const nothing = (description: string) => ({ ...Type.Null(), description });

/** A stream where it is sent, text where it is read. */
const CsvSchema = Type.Unsafe<Readable>(Type.String());

export const csvFile = {
  description: 'The file.',
  content: { 'text/csv': { schema: CsvSchema } },
};

/** A name in each language of the console. */
export const NamesSchema = Type.Object(
  {
    en: Type.String({ description: 'In English.' }),
    fa: Type.String({ description: 'In Persian.' }),
  },
  { description: 'The name that people read.' },
);

export const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const textOrNull = (description: string) => orNull(Type.String(), description);

export const timeOrNull = (time: number | null | undefined): string | null =>
  typeof time === 'number' ? formatTime(time) : null;

export const RoleSchema = Type.Enum([...roles], { description: 'What it may do.' });
export const StatusSchema = Type.Enum(['active', 'disabled'], {
  description: '`disabled`: it is let in no more.',
});

/** Not judged by its length here: a wrong one is wrong, however long. */
export const GivenPassword = Type.String({
  maxLength: 1024,
  description: 'The password as it is.',
});
export const NewPassword = Type.String({
  maxLength: 1024,
  description: `A new password of ${shortest} to ${longest} characters.`,
});
export const CodeSchema = Type.String({
  maxLength: 40,
  description: 'The six digits that the app shows, or a recovery code.',
});

export const AccountSchema = Type.Object({
  id: Type.String({ description: 'The account.' }),
  name: Type.String({ description: 'By which it signs in.' }),
  role: RoleSchema,
  status: StatusSchema,
  password: Type.Boolean({ description: 'Whether it has a password yet.' }),
  totp: Type.Boolean({ description: 'Whether codes of an app are its second factor.' }),
  passkeys: Type.Integer({ description: 'How many passkeys it has; each is a second factor.' }),
  created_at: Type.String({ description: 'When it was made.' }),
  signed_in_at: textOrNull('The last sign-in; null: never.'),
});

export const exampleAccount: Static<typeof AccountSchema> = {
  id: exampleId,
  name: 'office',
  role: 'owner',
  status: 'active',
  password: true,
  totp: true,
  passkeys: 0,
  created_at: exampleTime,
  signed_in_at: exampleTime,
};

export const accountToWire = (account: AccountRow): Static<typeof AccountSchema> => ({
  id: account.id,
  name: account.name,
  role: account.role,
  status: account.status,
  password: account.password !== null,
  totp: account.totp_secret !== null,
  passkeys: account.passkeys,
  created_at: formatTime(account.created_at),
  signed_in_at: timeOrNull(account.signed_in_at),
});

export const SetupSchema = Type.Object({
  account: AccountSchema,
  setup_token: Type.String({
    description: 'Shown this once: hand it over as `/console/setup#` and this.',
  }),
  setup_until: Type.String({ description: 'Until when it is good.' }),
});

export const exampleSetup: Static<typeof SetupSchema> = {
  account: { ...exampleAccount, password: false, totp: false, signed_in_at: null },
  setup_token: 'k2Jm0c4kq4m3o1bq9nP6wZ8yXr7sT5uV3aB1cD2eF4g',
  setup_until: exampleTime,
};

export const EnteredSchema = Type.Object({
  code_needed: Type.Boolean({
    description: 'Whether a second factor is to be sent before anything else: a code or a passkey.',
  }),
});

export const MeSchema = Type.Object({
  account: AccountSchema,
  rights: Type.Array(Type.Enum([...rights]), { description: 'What the role may do.' }),
  session_ends_at: Type.String({ description: 'When the session is over if it is not used.' }),
  second_factor_required: Type.Boolean({
    description: 'Whether two-factor authentication has to be set up before anything else.',
  }),
  recovery_codes: Type.Integer({ description: 'How many recovery codes are left.' }),
});

export const exampleMe: Static<typeof MeSchema> = {
  account: exampleAccount,
  rights: [...rightsOf('owner')],
  session_ends_at: exampleTime,
  second_factor_required: false,
  recovery_codes: 10,
};

export const meToWire = (
  { account, session }: Visit,
  limits: SessionLimits,
  factor: Pick<Static<typeof MeSchema>, 'second_factor_required' | 'recovery_codes'>,
): Static<typeof MeSchema> => ({
  account: accountToWire(account),
  rights: [...rightsOf(account.role)],
  session_ends_at: formatTime(endOf(session, limits)),
  ...factor,
});

const state = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const AuditSchema = Type.Object({
  id: Type.String({ description: 'The entry; `before` goes on from it.' }),
  at: Type.String({ description: 'When.' }),
  account_id: textOrNull('Whose account; null: a command or an anonymous caller.'),
  actor: Type.String({ description: 'Who.' }),
  action: Type.String({ description: 'What.' }),
  subject: Type.String({ description: 'The id of what it was about.' }),
  before: state('What was before.'),
  after: state('What was after.'),
  address: textOrNull('From which address; null: it was a command.'),
});

export const exampleAudit: Static<typeof AuditSchema> = {
  id: exampleId,
  at: exampleTime,
  account_id: exampleId,
  actor: 'office',
  action: 'account change',
  subject: exampleId,
  before: { role: 'viewer', status: 'active' },
  after: { role: 'support', status: 'active' },
  address: '192.0.2.1',
};

const recordIn = (json: string, mask: Mask): Record<string, unknown> => {
  const parsed = maskWithin(JSON.parse(json), mask);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
};

/** As a role sees it that `mask` is for. */
export const auditToWire = (row: AuditRow, mask: Mask): Static<typeof AuditSchema> => ({
  id: row.id,
  at: formatTime(row.at),
  account_id: row.account_id,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  before: recordIn(row.before_it, mask),
  after: recordIn(row.after_it, mask),
  address: row.address,
});

const ErrorSchema = Type.Object(
  {
    message: Type.String({ description: 'What happened and what to do, in a sentence.' }),
    code: Type.String({ description: 'Which error it is; programs go by this.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'What is wrong with which field.',
      }),
    ),
    request_id: Type.String({ description: 'Name it when you ask about this answer.' }),
  },
  { description: 'The body of every error.' },
);

/** What the guard refuses of every route that needs a right. */
export const guarded = [
  'SESSION_MISSING',
  'CODE_NEEDED',
  'RIGHT_MISSING',
  'FORGED_ORIGIN',
] as const satisfies readonly AdminErrorCode[];

/** The error answers of a route, by status, for its schema. */
export const refusals = (...codes: readonly AdminErrorCode[]) =>
  Object.fromEntries(
    [...Map.groupBy(codes, (code) => adminErrorOf(code).status)].map(([status, codes]) => [
      status,
      {
        ...ErrorSchema,
        description: codes.map((code) => `\`${code}\`: ${adminErrorOf(code).message}`).join('\n\n'),
      },
    ]),
  );

/** The answers of a route, and more refusals, beside those that have their status already. */
export const alsoRefuses = (
  responses: unknown,
  ...codes: readonly AdminErrorCode[]
): Record<string, unknown> => {
  const given = typeof responses === 'object' && responses !== null ? { ...responses } : {};
  const more = Object.entries(refusals(...codes)).map(([status, refusal]) => {
    const before = fieldOf(Reflect.get(given, status), 'description');
    const texts = [before, refusal.description].filter((text) => typeof text === 'string');
    const description = texts.join('\n\n');
    return [status, { ...refusal, description }] as const;
  });
  return { ...given, ...Object.fromEntries(more) };
};
