/** Serves signing in and out, and changes to one's own account, over HTTP. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import {
  bodyOf,
  CodeSchema,
  EnteredSchema,
  exampleMe,
  GivenPassword,
  MeSchema,
  meToWire,
  NewPassword,
  nothing,
  refusals,
} from '../wire.ts';
import { type GuardDeps, setCookie, visitIn, visitorOf } from './guard.ts';
import { beginTotp, changePassword, confirmTotp, removeTotp } from './own/account.ts';
import { countRecoveryCodes } from './own/store.ts';
import { type SignInResult, sendCode, setUp, signIn, signOut } from './sign-in.ts';
import { mustEnroll } from './two-factor/two-factor.ts';

const entrance = { tags: ['Sign-in'] };
const own = { tags: ['Own account'] };
const forged = 'FORGED_ORIGIN';
const session = ['SESSION_MISSING', 'CODE_NEEDED', forged] as const;
const entered = (description: string) => answer(EnteredSchema, description, { code_needed: false });

const schemas = {
  login: {
    ...entrance,
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'Starts a session and sets its cookie. With two-factor authentication, send the second factor within five minutes.',
    body: bodyOf(
      {
        name: Type.String({
          maxLength: 64,
          description: 'The name of the account. Case does not matter.',
        }),
        password: GivenPassword,
      },
      { name: 'office', password: 'correct horse battery' },
    ),
    response: {
      200: entered('Signed in, or the second factor is needed.'),
      ...refusals('SIGN_IN_FAILED', forged, 'TOO_MANY_TRIES'),
    },
  },
  code: {
    ...entrance,
    operationId: 'sendCode',
    summary: 'Send a two-factor code',
    description: 'Completes the sign-in and sets a new cookie.',
    body: bodyOf({ code: CodeSchema }, { code: '287082' }),
    response: {
      200: entered('Signed in.'),
      ...refusals('CODE_WRONG', 'SESSION_MISSING', forged, 'TOO_MANY_TRIES'),
    },
  },
  setup: {
    ...entrance,
    operationId: 'setUp',
    summary: 'Set a password with a setup link',
    description: 'Sets the password and signs in. Each link works once.',
    body: bodyOf(
      {
        token: Type.String({ maxLength: 64, description: 'The part of the link after `#`.' }),
        password: NewPassword,
      },
      {
        token: 'k2Jm0c4kq4m3o1bq9nP6wZ8yXr7sT5uV3aB1cD2eF4g',
        password: 'correct horse battery',
      },
    ),
    response: {
      200: entered('Signed in, or the second factor is needed.'),
      ...refusals('SETUP_INVALID', forged, 'PASSWORD_WEAK', 'PASSWORD_COMMON'),
    },
  },
  logout: {
    ...entrance,
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session on the server and deletes its cookie.',
    response: { 204: nothing('Signed out.'), ...refusals('SESSION_MISSING', forged) },
  },
  me: {
    ...own,
    operationId: 'getMe',
    summary: 'Get your account',
    description: 'Returns your account, its rights, and when the session ends.',
    response: {
      200: answer(MeSchema, 'Your account.', exampleMe),
      ...refusals(...session),
    },
  },
  password: {
    ...own,
    operationId: 'changeMyPassword',
    summary: 'Change your password',
    description: 'Ends all your other sessions and sets a new cookie for this one.',
    body: bodyOf(
      { current: GivenPassword, password: NewPassword },
      { current: 'correct horse battery', password: 'staple of paper' },
    ),
    response: {
      204: nothing('The password was changed.'),
      ...refusals(
        ...session,
        'PASSWORD_WRONG',
        'PASSWORD_WEAK',
        'PASSWORD_COMMON',
        'TOO_MANY_TRIES',
      ),
    },
  },
  beginTotp: {
    ...own,
    operationId: 'beginMyTotp',
    summary: 'Begin two-factor setup',
    description:
      'Returns a secret for an authenticator app. Confirm a code to turn two-factor authentication on.',
    body: bodyOf({ password: GivenPassword }, { password: 'correct horse battery' }),
    response: {
      200: answer(
        Type.Object({
          secret: Type.String({ description: 'The secret in base32, for typing.' }),
          uri: Type.String({ description: 'The URI for a QR code.' }),
        }),
        'The secret. It is shown only in this response.',
        {
          secret: 'MZXW6YTB',
          uri: 'otpauth://totp/Simgate:office?secret=MZXW6YTB&issuer=Simgate',
        },
      ),
      ...refusals(...session, 'PASSWORD_WRONG', 'TOTP_ON', 'TOO_MANY_TRIES'),
    },
  },
  confirmTotp: {
    ...own,
    operationId: 'confirmMyTotp',
    summary: 'Confirm two-factor setup',
    description: 'Turns two-factor authentication on and ends all your other sessions.',
    body: bodyOf({ code: CodeSchema }, { code: '287082' }),
    response: {
      204: nothing('Two-factor authentication is on.'),
      ...refusals(...session, 'CODE_WRONG', 'TOTP_ON', 'TOTP_NOT_BEGUN', 'TOO_MANY_TRIES'),
    },
  },
  removeTotp: {
    ...own,
    operationId: 'removeMyTotp',
    summary: 'Turn two-factor authentication off',
    description:
      'Removes the authenticator app, even if it is not confirmed yet, and ends all your other sessions.',
    body: bodyOf({ password: GivenPassword }, { password: 'correct horse battery' }),
    response: {
      204: nothing('Two-factor authentication is off.'),
      ...refusals(...session, 'PASSWORD_WRONG', 'TOO_MANY_TRIES'),
    },
  },
};

const base = '/admin/api';
const noSession = { adminNeeds: 'none' } as const;
const half = { adminNeeds: 'half' } as const;
const waiting = { adminNeeds: 'waiting' } as const;
const enroll = { adminNeeds: 'enroll' } as const;
const whole = { adminNeeds: 'session' } as const;

/** Sends the new session. */
export const admit = (
  deps: GuardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, stage }: SignInResult,
) => {
  setCookie(deps, request, reply, token);
  return { code_needed: stage === 'code' };
};

/** The same for a session that continues, without a body. */
export const goOn = (...given: Parameters<typeof admit>) => {
  admit(...given);
  return given[2].code(204).send(null);
};

/** The way in and out. */
export const signInRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const login = { config: noSession, schema: schemas.login };
    app.post(`${base}/login`, login, async (request, reply) => {
      const visitor = visitorOf(deps, request);
      return admit(deps, request, reply, await signIn(deps, visitor, request.body));
    });

    const code = { config: waiting, schema: schemas.code };
    app.post(`${base}/login/code`, code, async (request, reply) => {
      const entered = await sendCode(deps, visitIn(request), request.body.code);
      return admit(deps, request, reply, entered);
    });

    const setup = { config: noSession, schema: schemas.setup };
    app.post(`${base}/setup`, setup, async (request, reply) => {
      const visitor = visitorOf(deps, request);
      return admit(deps, request, reply, await setUp(deps, visitor, request.body));
    });

    const logout = { config: half, schema: schemas.logout };
    app.post(`${base}/logout`, logout, async (request, reply) => {
      await signOut(deps, visitIn(request));
      setCookie(deps, request, reply, undefined);
      return reply.code(204).send(null);
    });
  };

export const ownRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${base}/me`, { config: enroll, schema: schemas.me }, async (request) => {
      const visit = visitIn(request);
      return meToWire(visit, deps.limits, {
        second_factor_required: mustEnroll(visit.account, deps.policy),
        recovery_codes: await countRecoveryCodes(deps.db, visit.account.id),
      });
    });

    const password = { config: whole, schema: schemas.password };
    app.post(`${base}/me/password`, password, async (request, reply) => {
      const entered = await changePassword(deps, visitIn(request), request.body);
      return goOn(deps, request, reply, entered);
    });

    const begin = { config: enroll, schema: schemas.beginTotp };
    app.post(`${base}/me/totp`, begin, async (request) =>
      beginTotp(deps, visitIn(request), request.body.password),
    );

    const confirm = { config: enroll, schema: schemas.confirmTotp };
    app.post(`${base}/me/totp/confirm`, confirm, async (request, reply) => {
      const entered = await confirmTotp(deps, visitIn(request), request.body.code);
      return goOn(deps, request, reply, entered);
    });

    const remove = { config: whole, schema: schemas.removeTotp };
    app.delete(`${base}/me/totp`, remove, async (request, reply) => {
      const entered = await removeTotp(deps, visitIn(request), request.body.password);
      return goOn(deps, request, reply, entered);
    });
  };
