/** Describes what the back office's API shows of accounts, sessions and the audit log, and the errors of its routes. */
import type { Readable } from 'node:stream';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { type ErrorCode, errorTable } from '../lib/errors.ts';
import { errorDescriber } from '../lib/openapi/describe-errors.ts';
import { isPart, type Part } from '../lib/openapi/part.ts';
import { codesIn } from '../lib/openapi/responses.ts';
import { formatTime } from '../lib/time.ts';
import { longest, shortest } from './access/passwords/password.ts';
import { rights, rightsOf, roles } from './access/roles.ts';
import { endOf, type SessionLimits } from './access/session.ts';
import type { Visit } from './access/sign-in.ts';
import type { AccountRow, AuditRow } from './access/store.ts';
import { type AdminErrorCode, adminErrorOf, isAdminError } from './errors.ts';
import { type Mask, maskWithin } from './mask.ts';

export const exampleId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';
export const exampleTime = '2026-01-31T09:30:00.000000Z';

export const closed = { additionalProperties: false };

/** A body with these fields and no others. */
export const bodyOf = <T extends TProperties>(fields: T, example: Static<TObject<T>>) =>
  Type.Object(fields, { ...closed, examples: [example] });

export const nothing = (description: string) => ({ ...Type.Null(), description });

/** A stream when sent, text when read. */
const CsvSchema = Type.Unsafe<Readable>(Type.String());

export const csvFile = {
  description: 'A CSV file.',
  content: { 'text/csv': { schema: CsvSchema } },
};

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const xlsxFile = {
  description: 'An XLSX file.',
  content: { [xlsxType]: { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
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

export const RoleSchema = Type.Enum([...roles], {
  title: 'Role',
  description: 'The role, which grants its rights.',
});
export const StatusSchema = Type.Enum(['active', 'disabled'], {
  description: '`disabled`: it cannot sign in.',
});

/** Its length is not checked here: a wrong password is wrong at any length. */
export const GivenPassword = Type.String({
  maxLength: 1024,
  description: 'The current password.',
});
export const NewPassword = Type.String({
  maxLength: 1024,
  description: `A new password of ${shortest} to ${longest} characters.`,
});
export const CodeSchema = Type.String({
  maxLength: 40,
  description: 'The six digits of the authenticator app, or a recovery code.',
});

export const AccountSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the account.' }),
    name: Type.String({ description: 'The sign-in name.' }),
    role: RoleSchema,
    status: StatusSchema,
    password: Type.Boolean({ description: 'Whether a password is set.' }),
    totp: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
    passkeys: Type.Integer({ description: 'How many passkeys it has.' }),
    created_at: Type.String({ description: 'When it was created.' }),
    signed_in_at: textOrNull('The last sign-in; null if never.'),
  },
  { title: 'Account', description: 'An account of the back office.' },
);

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

export const SetupSchema = Type.Object(
  {
    account: AccountSchema,
    setup_token: Type.String({
      description:
        'The token of the setup link, `/console/setup#` plus the token. It is shown only in this response.',
    }),
    setup_until: Type.String({ description: 'When the link expires.' }),
  },
  { title: 'AccountSetup', description: 'An account with its setup link.' },
);

export const exampleSetup: Static<typeof SetupSchema> = {
  account: { ...exampleAccount, password: false, totp: false, signed_in_at: null },
  setup_token: 'k2Jm0c4kq4m3o1bq9nP6wZ8yXr7sT5uV3aB1cD2eF4g',
  setup_until: exampleTime,
};

export const EnteredSchema = Type.Object(
  {
    code_needed: Type.Boolean({
      description: 'Whether the session still needs its second factor: a code or a passkey.',
    }),
  },
  { title: 'SignInResult', description: 'The result of a sign-in step.' },
);

export const MeSchema = Type.Object(
  {
    account: AccountSchema,
    rights: Type.Array(Type.Enum([...rights]), { description: 'The rights of your role.' }),
    session_ends_at: Type.String({ description: 'When the session ends if it is not used.' }),
    second_factor_required: Type.Boolean({
      description: 'Whether you must set up two-factor authentication first.',
    }),
    recovery_codes: Type.Integer({ description: 'How many recovery codes are left.' }),
  },
  { title: 'Me', description: 'Your account and session.' },
);

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

export const AuditSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the entry.' }),
    at: Type.String({ description: 'When it happened.' }),
    account_id: textOrNull('The ID of the account; null for a command or an anonymous caller.'),
    actor: Type.String({ description: 'The name of the account, or the command.' }),
    action: Type.String({ description: 'The action.' }),
    subject: Type.String({ description: 'The ID of the object that was changed.' }),
    subject_name: textOrNull('The current name of that client or account; null for others.'),
    before: state('The values before.'),
    after: state('The values after.'),
    address: textOrNull('The IP address; null for a command.'),
  },
  { title: 'AuditEntry', description: 'An entry of the audit log.' },
);

export const exampleAudit: Static<typeof AuditSchema> = {
  id: exampleId,
  at: exampleTime,
  account_id: exampleId,
  actor: 'office',
  action: 'account change',
  subject: exampleId,
  subject_name: 'helpdesk',
  before: { role: 'viewer', status: 'active' },
  after: { role: 'support', status: 'active' },
  address: '192.0.2.1',
};

const recordIn = (json: string, mask: Mask): Record<string, unknown> => {
  const parsed = maskWithin(JSON.parse(json), mask);
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
};

/** As shown to the role that `mask` is for. */
export const auditToWire = (
  row: AuditRow,
  mask: Mask,
  subjectName: string | null = null,
): Static<typeof AuditSchema> => ({
  id: row.id,
  at: formatTime(row.at),
  account_id: row.account_id,
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  subject_name: subjectName,
  before: recordIn(row.before_it, mask),
  after: recordIn(row.after_it, mask),
  address: row.address,
});

const ErrorSchema = Type.Object(
  {
    message: Type.String({ description: 'What happened and what to do, for a person to read.' }),
    code: Type.String({
      description: 'The error code. Base your program on it, not on `message`.',
    }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'The invalid fields, each with a list of messages.',
      }),
    ),
    request_id: Type.String({ description: 'The ID of the request, as in the log.' }),
  },
  { title: 'Error', description: 'The body of every error.' },
);

const describeErrors = errorDescriber(ErrorSchema);

/** The gateway's own errors that routes of the back office return. */
const gatewayErrors = [
  'MALFORMED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
  'INTERNAL_ERROR',
  'OVERLOADED',
  'DRAINING',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

type RouteErrorCode = AdminErrorCode | (typeof gatewayErrors)[number];

const isRouteError = (code: string): code is RouteErrorCode =>
  gatewayErrors.some((one) => one === code) || isAdminError(code);

const isOfGateway = (code: RouteErrorCode): code is (typeof gatewayErrors)[number] =>
  gatewayErrors.some((one) => one === code);

/** The errors of the guard on every route that needs a right. */
export const guarded = [
  'SESSION_MISSING',
  'CODE_NEEDED',
  'RIGHT_MISSING',
  'FORGED_ORIGIN',
] as const satisfies readonly AdminErrorCode[];

/** The error responses of a route, by status, for its schema. */
export const refusals = (...codes: readonly RouteErrorCode[]) =>
  describeErrors(
    [...new Set(codes)].map((code) => {
      const { status, message } = isOfGateway(code) ? errorTable[code] : adminErrorOf(code);
      return { code, status, message };
    }),
  );

/** The responses of a route, with more errors than its schema says. */
export const alsoRefuses = (responses: unknown, ...more: readonly RouteErrorCode[]): Part => {
  const given = isPart(responses) ? responses : {};
  const all = Object.values(given).flatMap((response) => codesIn(response));
  const codes = [...all.filter(isRouteError), ...more];
  return { ...given, ...refusals(...codes) };
};
