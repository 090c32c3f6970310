/** Serves the security of one's own account over HTTP: confirmation, recovery codes, sessions, notices. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { GatewayError } from '../../../lib/errors.ts';
import { answer } from '../../../lib/openapi/answer.ts';
import { formatTime } from '../../../lib/time.ts';
import {
  bodyOf,
  CodeSchema,
  exampleTime,
  GivenPassword,
  nothing,
  refusals,
  textOrNull,
} from '../../wire.ts';
import { actorIn, type GuardDeps, setCookie, visitIn } from '../guard.ts';
import { goOn } from '../sign-in-routes.ts';
import { type Proof, prove } from './confirm.ts';
import { credentialActions, listNotices, markNoticesSeen } from './notices.ts';
import { createRecoveryCodes } from './recovery-codes.ts';
import { endOtherSessions, endOwnSession, ownSessions } from './sessions.ts';

const own = { tags: ['Own account'] };
const whole = ['SESSION_MISSING', 'CODE_NEEDED', 'FORGED_ORIGIN'] as const;
const exampleSession = '3f0c5d2e7b184c1d9a41019a8f3e6c1d';
const exampleNotice = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

const SessionSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the session.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    code_needed: Type.Boolean({ description: 'Whether it still needs its second factor.' }),
    address: Type.String({ description: 'The IP address at sign-in.' }),
    agent: Type.String({ description: 'The browser at sign-in.' }),
    created_at: Type.String({ description: 'When it was created.' }),
    seen_at: Type.String({ description: 'When it was last used, to about a minute.' }),
  },
  { title: 'Session', description: 'A session of an account.' },
);

const NoticeSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID, which is also the ID of the audit log entry.' }),
    at: Type.String({ description: 'When it happened.' }),
    action: Type.Enum([...credentialActions], { description: 'The action.' }),
    actor: Type.String({ description: 'Who did it.' }),
    address: textOrNull('The IP address; null for a command.'),
    seen: Type.Boolean({ description: 'Whether you have confirmed it.' }),
  },
  { title: 'CredentialNotice', description: 'A change or use of your credentials.' },
);

const schemas = {
  prove: {
    ...own,
    operationId: 'proveMe',
    summary: 'Confirm your identity',
    description:
      'Send either your password or a code. For some minutes you can then call routes with `x-fresh`. Sets a new cookie.',
    body: bodyOf(
      { password: Type.Optional(GivenPassword), code: Type.Optional(CodeSchema) },
      { password: 'correct horse battery' },
    ),
    response: {
      204: nothing('Confirmed.'),
      ...refusals(...whole, 'PASSWORD_WRONG', 'CODE_WRONG', 'TOO_MANY_TRIES'),
    },
  },
  codes: {
    ...own,
    operationId: 'createMyRecoveryCodes',
    summary: 'Create recovery codes',
    description:
      'Creates ten recovery codes, each of which replaces a two-factor code once. Earlier codes stop working.',
    response: {
      201: answer(
        Type.Object({ codes: Type.Array(Type.String(), { description: 'The codes.' }) }),
        'The codes. They are shown only in this response.',
        { codes: ['abcd-efgh-2345-mnop-qrst-uvwx', 'qrst-uvwx-67ab-cdef-ghij-klmn'] },
      ),
      ...refusals(...whole, 'SECOND_FACTOR_OFF'),
    },
  },
  sessions: {
    ...own,
    operationId: 'listMySessions',
    summary: 'List your sessions',
    description: 'Returns your active sessions, most recently used first.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(SessionSchema, { description: 'Your sessions.' }) }),
        'Your sessions.',
        {
          data: [
            {
              id: exampleSession,
              current: true,
              code_needed: false,
              address: '192.0.2.1',
              agent: 'Mozilla/5.0',
              created_at: exampleTime,
              seen_at: exampleTime,
            },
          ],
        },
      ),
      ...refusals(...whole),
    },
  },
  endSession: {
    ...own,
    operationId: 'endMySession',
    summary: 'End one of your sessions',
    description: 'Ends the session at once.',
    params: Type.Object({
      session_id: Type.String({
        description: 'The ID of the session.',
        examples: [exampleSession],
      }),
    }),
    response: {
      204: nothing('The session was ended.'),
      ...refusals(...whole, 'SESSION_NOT_FOUND'),
    },
  },
  endOthers: {
    ...own,
    operationId: 'endMyOtherSessions',
    summary: 'End all your other sessions',
    description: 'Ends all your sessions except this one.',
    response: {
      200: answer(
        Type.Object({ ended: Type.Integer({ description: 'How many sessions were ended.' }) }),
        'The sessions were ended.',
        { ended: 2 },
      ),
      ...refusals(...whole),
    },
  },
  notices: {
    ...own,
    operationId: 'listMyNotices',
    summary: 'List credential changes',
    description:
      'Returns the 20 most recent changes of your password, two-factor authentication and recovery codes.',
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(NoticeSchema, { description: 'The changes, newest first.' }),
        }),
        'The changes.',
        {
          data: [
            {
              id: exampleNotice,
              at: exampleTime,
              action: 'password change',
              actor: 'office',
              address: '192.0.2.1',
              seen: false,
            },
          ],
        },
      ),
      ...refusals(...whole),
    },
  },
  seen: {
    ...own,
    operationId: 'seeMyNotices',
    summary: 'Confirm credential changes',
    description:
      'Confirms this change and all earlier ones. Changes that are newer than your session stay unconfirmed until you sign in again.',
    body: bodyOf(
      {
        id: Type.String({
          maxLength: 64,
          description: 'The ID of the newest change that you have seen.',
        }),
      },
      { id: exampleNotice },
    ),
    response: { 204: nothing('Confirmed.'), ...refusals(...whole) },
  },
};

type Given = { readonly password?: string; readonly code?: string };

const proofIn = ({ password, code }: Given): Proof => {
  if (password !== undefined && code === undefined) return { password };
  if (code !== undefined && password === undefined) return { code };
  const text = { en: 'Send either password or code.', fa: 'یکی از password یا code را بفرستید.' };
  throw new GatewayError('VALIDATION_FAILED', { errors: { password: [text] } });
};

const base = '/admin/api/me';
const enroll = { adminNeeds: 'enroll' } as const;
const session = { adminNeeds: 'session' } as const;
const grave = { adminNeeds: 'session', adminFresh: true } as const;

const sessionRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${base}/sessions`, { config: session, schema: schemas.sessions }, async (request) => ({
      data: (await ownSessions(deps, visitIn(request))).map(({ id, current, session: one }) => ({
        id,
        current,
        code_needed: one.stage === 'code',
        address: one.address,
        agent: one.agent,
        created_at: formatTime(one.created_at),
        seen_at: formatTime(one.seen_at),
      })),
    }));

    const endOne = { config: session, schema: schemas.endSession };
    app.delete(`${base}/sessions/:session_id`, endOne, async (request, reply) => {
      const { session_id: id } = request.params;
      const current = await endOwnSession(deps, visitIn(request), id);
      if (current) setCookie(deps, request, reply, undefined);
      return reply.code(204).send(null);
    });

    const endOthers = { config: session, schema: schemas.endOthers };
    app.delete(`${base}/sessions`, endOthers, async (request) => ({
      ended: await endOtherSessions(deps, visitIn(request)),
    }));
  };

const noticeRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(`${base}/notices`, { config: session, schema: schemas.notices }, async (request) => ({
      data: (await listNotices(deps, visitIn(request).account)).map(({ at, ...notice }) => ({
        ...notice,
        at: formatTime(at),
      })),
    }));

    const seen = { config: session, schema: schemas.seen };
    app.post(`${base}/notices/seen`, seen, async (request, reply) => {
      await markNoticesSeen(deps, visitIn(request), request.body.id);
      return reply.code(204).send(null);
    });
  };

/** For the safety of one's own account. */
export const ownSafetyRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const proof = { config: enroll, schema: schemas.prove };
    app.post(`${base}/proof`, proof, async (request, reply) => {
      const entered = await prove(deps, visitIn(request), proofIn(request.body));
      return goOn(deps, request, reply, entered);
    });

    const codes = { config: grave, schema: schemas.codes };
    app.post(`${base}/recovery-codes`, codes, async (request, reply) => {
      const { account } = visitIn(request);
      return reply
        .code(201)
        .send({ codes: [...(await createRecoveryCodes(deps, actorIn(request), account))] });
    });

    await sessionRoutes(deps)(app, {});
    await noticeRoutes(deps)(app, {});
  };
