/** Checks who may read the documentation where it is for clients: a token of theirs, or a session of the console. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type GuardDeps, visitorOf } from '../../admin/access/guard.ts';
import { visitOf } from '../../admin/access/sign-in.ts';
import type { Auth } from '../../clients/auth.ts';
import { GatewayError } from '../../lib/errors.ts';
import { sendStatic } from '../pages/static-page.ts';
import { tokenNeededPage } from './plain.ts';

export type DocsGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export type DocsAccessDeps = {
  readonly auth: Pick<Auth, 'needsClient'>;
  readonly admin: GuardDeps;
};

// Browsers can only ask for a password, so that is the token; programs send it as usual.
const challenge = 'Basic realm="Simgate documentation", charset="UTF-8", Bearer';

/** The token that a browser sends as a password. */
const asBearer = (header: string | undefined): string | undefined => {
  const [, given] = /^basic +([\w+/=-]+) *$/i.exec(header ?? '') ?? [];
  if (given === undefined) return header;
  const [, ...password] = Buffer.from(given, 'base64').toString().split(':');
  return `Bearer ${password.join(':')}`;
};

const hasSession = async (admin: GuardDeps, request: FastifyRequest): Promise<boolean> => {
  const visit = await visitOf(admin, visitorOf(admin, request));
  return visit?.session.stage === 'full';
};

export const docsGuard = ({ auth, admin }: DocsAccessDeps): DocsGuard => {
  const sendPage = sendStatic(tokenNeededPage);
  return async (request, reply) => {
    if (await hasSession(admin, request)) {
      request.identified();
      return undefined;
    }
    const { authorization } = request.headers;
    try {
      request.headers.authorization = asBearer(authorization);
      await auth.needsClient(request, reply);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayError) || !error.code.startsWith('TOKEN_')) throw error;
      const vary = 'accept, accept-language, authorization, cookie';
      const headers = { 'www-authenticate': challenge, vary };
      if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) {
        throw new GatewayError(error.code, { headers });
      }
      return sendPage(request, reply.code(401).headers(headers));
    }
  };
};
