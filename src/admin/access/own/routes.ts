/** Serves the security of one's own account over HTTP: confirmation, recovery codes, sessions, notices. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { GatewayError } from '../../../lib/errors.ts';
import { formatTime } from '../../../lib/time.ts';
import {
  answer,
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

const SessionSchema = Type.Object({
  id: Type.String({ description: 'The session.' }),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  code_needed: Type.Boolean({ description: 'Whether it still waits for its code.' }),
  address: Type.String({ description: 'From which address it was begun.' }),
  agent: Type.String({ description: 'By which browser.' }),
  created_at: Type.String({ description: 'When it began.' }),
  seen_at: Type.String({ description: 'When it was last used, to about a minute.' }),
});

const NoticeSchema = Type.Object({
  id: Type.String({ description: 'The notice; the entry of the audit has the same id.' }),
  at: Type.String({ description: 'When.' }),
  action: Type.Enum([...credentialActions], { description: 'What was changed or used.' }),
  actor: Type.String({ description: 'By whom.' }),
  address: textOrNull('From which address; null: by a command.'),
  seen: Type.Boolean({ description: 'Whether you have confirmed it.' }),
});

const schemas = {
  prove: {
    ...own,
    operationId: 'proveMe',
    summary: 'Prove that it is you',
    description:
      'Takes your password or a code, one of them. The session goes on under a new cookie and may do for some minutes what needs a fresh proof.',
    body: bodyOf(
      { password: Type.Optional(GivenPassword), code: Type.Optional(CodeSchema) },
      { password: 'correct horse battery' },
    ),
    response: {
      204: nothing('It is proved.'),
      ...refusals(...whole, 'PASSWORD_WRONG', 'CODE_WRONG', 'TOO_MANY_TRIES'),
    },
  },
  codes: {
    ...own,
    operationId: 'createMyRecoveryCodes',
    summary: 'Create recovery codes',
    description:
      'Ten codes, each of which is taken once in the place of a code of the app. Those before are no longer good.',
    response: {
      201: answer(
        Type.Object({ codes: Type.Array(Type.String(), { description: 'To be kept safe.' }) }),
        'Shown this once.',
        { codes: ['abcd-efgh-2345-mnop-qrst-uvwx', 'qrst-uvwx-67ab-cdef-ghij-klmn'] },
      ),
      ...refusals(...whole, 'SECOND_FACTOR_OFF'),
    },
  },
  sessions: {
    ...own,
    operationId: 'listMySessions',
    summary: 'List your sessions',
    description: 'All that are not over, the last used first.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(SessionSchema, { description: 'All of them.' }) }),
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
    description: 'It is over at once.',
    params: Type.Object({
      session_id: Type.String({ description: 'The session.', examples: [exampleSession] }),
    }),
    response: { 204: nothing('It is over.'), ...refusals(...whole, 'SESSION_NOT_FOUND') },
  },
  endOthers: {
    ...own,
    operationId: 'endMyOtherSessions',
    summary: 'End all your other sessions',
    description: 'This one goes on.',
    response: {
      200: answer(
        Type.Object({ ended: Type.Integer({ description: 'How many there were.' }) }),
        'They are over.',
        { ended: 2 },
      ),
      ...refusals(...whole),
    },
  },
  notices: {
    ...own,
    operationId: 'listMyNotices',
    summary: 'List changes of your credentials',
    description: 'The newest 20: password, two-factor authentication, recovery codes.',
    response: {
      200: answer(
        Type.Object({ data: Type.Array(NoticeSchema, { description: 'The newest first.' }) }),
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
    summary: 'Confirm that you have seen changes',
    description:
      'That one and all before it, but none that is newer than the session: a later sign-in confirms those.',
    body: bodyOf(
      { id: Type.String({ maxLength: 64, description: 'The newest that you have seen.' }) },
      { id: exampleNotice },
    ),
    response: { 204: nothing('They are confirmed.'), ...refusals(...whole) },
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

    await app.register(sessionRoutes(deps));
    await app.register(noticeRoutes(deps));
  };
