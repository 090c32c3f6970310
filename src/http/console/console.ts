/** Serves the console: its page under a strict content security policy, and its files. */
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { GatewayError } from '../../lib/errors.ts';
import type { Random } from '../../lib/random.ts';
import { pageHeaders, pagePolicy } from '../pages/policy.ts';
import { sendStatic } from '../pages/static-page.ts';
import { consoleFolder, readConsole } from './files.ts';

export type ConsoleDeps = {
  readonly publicUrl: string | undefined;
  readonly random: Random;
  /** The folder of the build; the package's own by default. */
  readonly folder?: string;
};

const policy = (nonce: string): string => pagePolicy({ styles: [`'nonce-${nonce}'`] });

const html = 'text/html; charset=utf-8';

const notBuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Simgate</title></head>
<body><h1>The console is not built</h1>
<p>Run <code>npm ci</code>, or <code>npm run build:console</code>, and start the gateway again.</p></body></html>
`;

export const consoleRoutes =
  ({ publicUrl, random, folder = consoleFolder }: ConsoleDeps): FastifyPluginAsync =>
  async (app) => {
    const built = readConsole(folder);
    const files = new Map(
      [...(built?.files ?? [])].map(([path, file]) => [path, sendStatic(file)] as const),
    );
    // A proxy that serves us under a path prefix strips it; the page must include it in its requests.
    const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

    const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
      reply.headers(pageHeaders).type(html);
      if (built === undefined) return reply.code(503).send(notBuilt);
      const nonce = Buffer.from(random(16)).toString('base64url');
      return reply
        .header('content-security-policy', policy(nonce))
        .send(built.page(nonce, `${prefix}/console`));
    };

    const hidden = { schema: { hide: true } };
    app.get('/console', hidden, async (_request, reply) => sendPage(reply));
    app.get<{ Params: { '*': string } }>('/console/*', hidden, async (request, reply) => {
      const { '*': path } = request.params;
      const sendFile = files.get(path);
      if (sendFile !== undefined) return sendFile(request, reply);
      // A page loaded before an update may request deleted files: those must not get the page.
      if (path.startsWith('assets/')) throw new GatewayError('NOT_FOUND');
      return sendPage(reply);
    });
  };
