/** Owns the HTTP of clients' tokens in the back office: made, rotated, revoked. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { formatTime, readTime } from '../../lib/time.ts';
import { refusals } from '../wire.ts';
import { type ClientsDeps, fieldFault } from './acting.ts';
import { endToken, issueTokenTo, rotateToken } from './change.ts';
import { changing, clientParam, closed, common, ofClient, one, personIn } from './routes.ts';
import {
  exampleId,
  exampleSecret,
  exampleToken,
  NetworksSchema,
  ScopesSchema,
  TokenSchema,
  tokenToWire,
} from './wire.ts';

const ofToken = [...ofClient, 'TOKEN_NOT_FOUND'] as const;

const tokenParams = Type.Object({
  ...clientParam,
  token_id: Type.String({ description: 'The token.', examples: [exampleId] }),
});

const issued = {
  token_id: Type.String({ description: 'Which it is.' }),
  token: Type.String({ description: 'The token. It is shown this once.' }),
};

const schemas = {
  create: {
    ...common,
    operationId: 'createToken',
    summary: 'Give a client a token',
    description: 'One more; those that it has stay.',
    params: Type.Object(clientParam),
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.' }),
        scopes: Type.Optional(ScopesSchema),
        networks: Type.Optional(NetworksSchema),
        expires_at: Type.Optional(
          Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
            description: 'When it ends by itself, as 2027-01-31T00:00:00Z; null: never.',
          }),
        ),
      },
      {
        ...closed,
        examples: [{ name: 'the shop', scopes: ['purchase'], networks: ['192.0.2.0/24'] }],
      },
    ),
    response: {
      201: {
        ...Type.Object(issued),
        description: 'The token.',
        examples: [{ token_id: exampleId, token: exampleSecret }],
      },
      ...refusals(...ofClient),
    },
  },
  rotate: {
    ...common,
    operationId: 'rotateToken',
    summary: 'Give a new token for an old one',
    description:
      'The new one has the name, scopes and networks of the old one, and does not end by itself. The old one ends after the overlap, or when it would have ended anyway; without an overlap it is refused within a second.',
    params: tokenParams,
    body: Type.Object(
      {
        overlap_hours: Type.Integer({
          minimum: 0,
          maximum: 720,
          description: 'For how long both are good.',
        }),
      },
      { ...closed, examples: [{ overlap_hours: 24 }] },
    ),
    response: {
      201: {
        ...Type.Object({
          ...issued,
          old_expires_at: Type.String({ description: 'When the old one ends.' }),
        }),
        description: 'The new token.',
        examples: [
          {
            token_id: exampleId,
            token: exampleSecret,
            old_expires_at: '2026-02-01T09:30:00.000000Z',
          },
        ],
      },
      ...refusals(...ofToken, 'TOKEN_ENDED'),
    },
  },
  revoke: {
    ...common,
    operationId: 'revokeToken',
    summary: 'Stop a token for good',
    description: 'It is refused within a second. Done again, it changes nothing.',
    params: tokenParams,
    response: {
      200: {
        ...TokenSchema,
        description: 'The token as it is now.',
        examples: [{ ...exampleToken, state: 'revoked' }],
      },
      ...refusals(...ofToken),
    },
  },
};

const hourMs = 3_600_000;

const readExpiry = (text: string | null | undefined): { readonly expiresAt?: number } => {
  if (text === undefined || text === null) return {};
  const expiresAt = readTime(text);
  if (expiresAt !== undefined) return { expiresAt };
  throw fieldFault('expires_at', 'expires_at must be a time such as 2027-01-31T00:00:00Z.');
};

export const tokenRoutes =
  (deps: ClientsDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = changing;

    app.post(`${one}/tokens`, { config, schema: schemas.create }, async (request, reply) => {
      const { expires_at: expiry, ...wanted } = request.body;
      const { id, token } = await issueTokenTo(deps, personIn(request), request.params.client_id, {
        ...wanted,
        ...readExpiry(expiry),
      });
      return reply.code(201).send({ token_id: id, token });
    });

    app.post(
      `${one}/tokens/:token_id/rotation`,
      { config, schema: schemas.rotate },
      async (request, reply) => {
        const { client_id: clientId, token_id: id } = request.params;
        const overlap = request.body.overlap_hours * hourMs;
        const rotated = await rotateToken(deps, personIn(request), { id, clientId }, overlap);
        return reply.code(201).send({
          token_id: rotated.issued.id,
          token: rotated.issued.token,
          old_expires_at: formatTime(rotated.oldEnds),
        });
      },
    );

    app.delete(`${one}/tokens/:token_id`, { config, schema: schemas.revoke }, async (request) => {
      const { client_id: clientId, token_id: id } = request.params;
      const token = await endToken(deps, personIn(request), { id, clientId });
      return tokenToWire(token, deps.clock.now());
    });
  };
