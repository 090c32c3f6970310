/** Serves the documentation at `/docs`: its pages, as HTML and as Markdown, and its files. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../../lib/errors.ts';
import { sendStatic } from '../pages/static-page.ts';
import type { DocsGuard } from './access.ts';
import { readDocs } from './files.ts';
import { notBuiltPage, pageList } from './plain.ts';

export type DocsDeps = {
  readonly publicUrl: string | undefined;
  /** Who may read them; undefined: everyone. */
  readonly guard: DocsGuard | undefined;
  /** Their folders; the package's own by default. */
  readonly folders?: { readonly site: string; readonly sources: string };
};

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Opens a page on first use, and caches it. */
const sendLater = (open: () => Promise<Parameters<typeof sendStatic>[0]>): Send => {
  let send: Send | undefined;
  return async (request, reply) => {
    send ??= sendStatic(await open());
    return send(request, reply);
  };
};

const isForPeople = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(headers.accept ?? '');

export const docsRoutes =
  ({ publicUrl, guard, folders }: DocsDeps): FastifyPluginAsync =>
  async (app) => {
    // A proxy that serves us under a path prefix strips it; pages must include it in their requests.
    const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
    const docs = readDocs({ prefix, isPublic: guard === undefined }, folders);
    const isBuilt = docs.notFound !== undefined;
    const pages = new Map<string, Send>([
      ...(isBuilt ? [] : [['', sendStatic(notBuiltPage(docs.texts, prefix))] as const]),
      ...[...docs.files].map(([path, open]) => [path, sendLater(open)] as const),
      ['llms.txt', sendStatic(pageList(docs.texts, publicUrl ?? ''))],
    ]);
    const sendNotFound = docs.notFound === undefined ? undefined : sendLater(docs.notFound);

    const options = {
      schema: { hide: true },
      ...(guard === undefined ? {} : { onRequest: guard }),
    };
    const answer = async (
      path: string,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<FastifyReply> => {
      const send = pages.get(path.replace(/\/$/, ''));
      if (send !== undefined) return send(request, reply);
      if (sendNotFound === undefined || !isForPeople(request)) throw new GatewayError('NOT_FOUND');
      return sendNotFound(request, reply.code(404));
    };
    app.get('/docs', options, (request, reply) => answer('', request, reply));
    app.get<{ Params: { '*': string } }>('/docs/*', options, (request, reply) =>
      answer(request.params['*'], request, reply),
    );
  };
