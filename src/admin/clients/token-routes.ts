/** Serves clients' tokens over HTTP: creates, rotates and revokes them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { formatTime, readTime } from '../../lib/time.ts';
import { actorIn } from '../access/guard.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { AdminError } from '../errors.ts';
import { bodyOf, exampleId, orNull, refusals } from '../wire.ts';
import { actOnce, type ClientsDeps, fieldFault, runAction } from './act.ts';
import { createToken, revokeToken, rotateToken } from './actions.ts';
import { changing, clientParam, common, grave, ofClient, one } from './routes.ts';
import {
  exampleSecret,
  exampleToken,
  NetworksSchema,
  ScopesSchema,
  TokenSchema,
  tokenToWire,
} from './wire.ts';

const ofToken = [...ofClient, 'TOKEN_NOT_FOUND'] as const;

const keyed = ['KEY_REUSED', 'ALREADY_DONE'] as const;

const tokenParams = Type.Object({
  ...clientParam,
  token_id: Type.String({ description: 'The ID of the token.', examples: [exampleId] }),
});

const issued = {
  token_id: Type.String({ description: 'The ID of the token.' }),
  token: Type.String({ description: 'The token. It is shown only in this response.' }),
};

const ends = (description: string) =>
  orNull(
    Type.String({ maxLength: 40 }),
    `${description} A time such as 2027-01-31T00:00:00Z; null for never.`,
  );

const exampleKey = '5f0c5d2e-7b18-4a41-9c1d-3e6c1d7b529a';

const schemas = {
  create: {
    ...common,
    operationId: 'createToken',
    summary: 'Create a token',
    description:
      'Creates a token; existing tokens stay valid. A retry with the same key gets 409 `ALREADY_DONE`, which names the token.',
    params: Type.Object(clientParam),
    body: bodyOf(
      {
        key: KeySchema,
        name: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the token.' }),
        scopes: Type.Optional(ScopesSchema),
        networks: Type.Optional(NetworksSchema),
        expires_at: Type.Optional(ends('When it expires. Default: never.')),
      },
      {
        key: exampleKey,
        name: 'the shop',
        scopes: ['purchase'],
        networks: ['192.0.2.0/24'],
      },
    ),
    response: {
      201: answer(Type.Object(issued), 'The token.', { token_id: exampleId, token: exampleSecret }),
      ...refusals(...ofClient, ...keyed),
    },
  },
  rotate: {
    ...common,
    operationId: 'rotateToken',
    summary: 'Rotate a token',
    description:
      'Creates a token with the same name, scopes, networks and expiry, unless you send `expires_at`. The old token expires after the overlap, or earlier if it was about to. Without an overlap it stops working within a second. A retry with the same key gets 409 `ALREADY_DONE`, which names the new token.',
    params: tokenParams,
    body: bodyOf(
      {
        key: KeySchema,
        overlap_hours: Type.Integer({
          minimum: 0,
          maximum: 720,
          description: 'For how many hours both tokens work.',
        }),
        expires_at: Type.Optional(ends('When the new token expires. Default: as the old token.')),
      },
      { key: exampleKey, overlap_hours: 24 },
    ),
    response: {
      201: answer(
        Type.Object({
          ...issued,
          old_expires_at: Type.String({ description: 'When the old token expires.' }),
        }),
        'The new token.',
        {
          token_id: exampleId,
          token: exampleSecret,
          old_expires_at: '2026-02-01T09:30:00.000000Z',
        },
      ),
      ...refusals(...ofToken, 'TOKEN_ENDED', ...keyed),
    },
  },
  revoke: {
    ...common,
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description: 'The token stops working within a second. A retry changes nothing.',
    params: tokenParams,
    response: {
      200: answer(TokenSchema, 'The token.', { ...exampleToken, state: 'revoked' }),
      ...refusals(...ofToken),
    },
  },
};

/** What is stored under a key: a token is shown once, and stored nowhere. */
const CreatedSchema = Type.Object({ id: Type.String() });

const createdBefore = (id: string): AdminError =>
  new AdminError('ALREADY_DONE', {
    message: {
      en: `This was done before: token ${id} was created. Nothing was done now. It was shown once; if you do not have it, rotate it or revoke it.`,
      fa: `این کار پیش‌تر انجام شده است: توکن ${id} ساخته شد. اکنون کاری انجام نشد. توکن یک بار نمایش داده شد؛ اگر آن را ندارید، آن را تعویض یا باطل کنید.`,
    },
  });

const hourMs = 3_600_000;

const readExpiry = (text: string | null | undefined): { readonly expiresAt?: number } => {
  if (text === undefined || text === null) return {};
  const expiresAt = readTime(text);
  if (expiresAt !== undefined) return { expiresAt };
  throw fieldFault('expires_at', {
    en: 'expires_at must be a time such as 2027-01-31T00:00:00Z.',
    fa: 'expires_at باید زمانی مانند 2027-01-31T00:00:00Z باشد.',
  });
};

export const tokenRoutes =
  (deps: ClientsDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = changing;

    app.post(`${one}/tokens`, { config: grave, schema: schemas.create }, async (request, reply) => {
      const { client_id: clientId } = request.params;
      const { key, expires_at: expiry, ...rest } = request.body;
      const wanted = { ...rest, ...readExpiry(expiry) };
      const { name, scopes, networks, expiresAt } = wanted;
      const input = { clientId, name, scopes, networks, expiresAt };
      const asked = { key, action: 'client token create', input } as const;
      const { answer, made } = await actOnce(deps, actorIn(request), asked, {
        answers: CreatedSchema,
        work: (acting) => createToken(acting, clientId, wanted),
        answerOf: ({ id }) => ({ id }),
      });
      if (made === undefined) throw createdBefore(answer.id);
      return reply.code(201).send({ token_id: made.id, token: made.token });
    });

    app.post(
      `${one}/tokens/:token_id/rotation`,
      { config: grave, schema: schemas.rotate },
      async (request, reply) => {
        const { client_id: clientId, token_id: id } = request.params;
        const { key, overlap_hours: hours, expires_at: expiry } = request.body;
        const end = expiry === null ? { expiresAt: null } : readExpiry(expiry);
        const rotation = { overlapMs: hours * hourMs, ...end };
        const input = { clientId, id, overlapMs: rotation.overlapMs, expiresAt: end.expiresAt };
        const asked = { key, action: 'client token rotate', input } as const;
        const { answer, made } = await actOnce(deps, actorIn(request), asked, {
          answers: CreatedSchema,
          work: (acting) => rotateToken(acting, { id, clientId }, rotation),
          answerOf: ({ created }) => ({ id: created.id }),
        });
        if (made === undefined) throw createdBefore(answer.id);
        return reply.code(201).send({
          token_id: made.created.id,
          token: made.created.token,
          old_expires_at: formatTime(made.oldEnds),
        });
      },
    );

    app.delete(`${one}/tokens/:token_id`, { config, schema: schemas.revoke }, async (request) => {
      const { client_id: clientId, token_id: id } = request.params;
      const token = await runAction(deps, actorIn(request), (acting) =>
        revokeToken(acting, { id, clientId }),
      );
      return tokenToWire(token, deps.clock.now());
    });
  };
