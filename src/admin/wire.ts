/** Owns how the back office's API looks on the wire. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../lib/time.ts';
import { type AdminErrorCode, adminErrors } from './errors.ts';
import { longest, shortest } from './password.ts';
import { rights, rightsOf, roles } from './roles.ts';
import { endOf, type SessionLimits } from './session.ts';
import type { Visit } from './sign-in.ts';
import type { AccountRow, AuditRow } from './store.ts';

const exampleId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
const exampleTime = '2026-01-31T09:30:00.000000Z';

export const RoleSchema = Type.Enum([...roles], { description: 'What it may do.' });
export const StatusSchema = Type.Enum(['active', 'disabled'], {
  description: '`disabled`: it is let in no more.',
});
const TimeOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });

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
  maxLength: 16,
  description: 'The six digits that the app shows.',
});

export const AccountSchema = Type.Object({
  id: Type.String({ description: 'The account.' }),
  name: Type.String({ description: 'By which it signs in.' }),
  role: RoleSchema,
  status: StatusSchema,
  password: Type.Boolean({ description: 'Whether it has a password yet.' }),
  totp: Type.Boolean({ description: 'Whether it has a second factor.' }),
  created_at: Type.String({ description: 'When it was made.' }),
  signed_in_at: TimeOrNull('When somebody last signed in to it; null: never.'),
});

export const exampleAccount: Static<typeof AccountSchema> = {
  id: exampleId,
  name: 'office',
  role: 'owner',
  status: 'active',
  password: true,
  totp: true,
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
  created_at: formatTime(account.created_at),
  signed_in_at: account.signed_in_at === null ? null : formatTime(account.signed_in_at),
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
    description: 'Whether the code of the second factor is to be sent before anything else.',
  }),
});

export const MeSchema = Type.Object({
  account: AccountSchema,
  rights: Type.Array(Type.Enum([...rights]), { description: 'What the role may do.' }),
  session_ends_at: Type.String({ description: 'When the session is over if it is not used.' }),
});

export const exampleMe: Static<typeof MeSchema> = {
  account: exampleAccount,
  rights: [...rightsOf('owner')],
  session_ends_at: exampleTime,
};

export const meToWire = (
  { account, session }: Visit,
  limits: SessionLimits,
): Static<typeof MeSchema> => ({
  account: accountToWire(account),
  rights: [...rightsOf(account.role)],
  session_ends_at: formatTime(endOf(session, limits)),
});

const state = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const AuditSchema = Type.Object({
  id: Type.String({ description: 'The entry; `before` goes on from it.' }),
  at: Type.String({ description: 'When.' }),
  account_id: TimeOrNull('Whose account; null: it was a command.'),
  actor: Type.String({ description: 'Who.' }),
  action: Type.String({ description: 'What.' }),
  subject: Type.String({ description: 'The id of what it was about.' }),
  before: state('What was before.'),
  after: state('What was after.'),
  address: TimeOrNull('From which address; null: it was a command.'),
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

const recordIn = (json: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(json);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
};

export const auditToWire = (row: AuditRow): Static<typeof AuditSchema> => ({
  id: row.id,
  at: formatTime(row.at),
  account_id: row.account_id,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  before: recordIn(row.before_it),
  after: recordIn(row.after_it),
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
    [...Map.groupBy(codes, (code) => adminErrors[code].status)].map(([status, codes]) => [
      status,
      {
        ...ErrorSchema,
        description: codes.map((code) => `\`${code}\`: ${adminErrors[code].message}`).join('\n\n'),
      },
    ]),
  );

const textIn = (value: unknown, name: string): string => {
  const text: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text : '';
};

/** The answers of a route, and one refusal more, beside those that have its status already. */
export const alsoRefuses = (responses: unknown, code: AdminErrorCode): Record<string, unknown> => {
  const given = typeof responses === 'object' && responses !== null ? { ...responses } : {};
  const more = Object.entries(refusals(code)).map(([status, refusal]) => {
    const before = textIn(Reflect.get(given, status), 'description');
    const description = [before, refusal.description].filter((text) => text !== '').join('\n\n');
    return [status, { ...refusal, description }] as const;
  });
  return { ...given, ...Object.fromEntries(more) };
};
