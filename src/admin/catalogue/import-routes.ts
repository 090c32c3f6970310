/** Serves catalogue imports over HTTP: takes the file as the body and streams progress line by line. */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type ErrorCode, GatewayError } from '../../lib/errors.ts';
import { preferredLocale } from '../../lib/text.ts';
import { actorIn } from '../access/guard.ts';
import { AdminError, type AdminErrorCode } from '../errors.ts';
import { refusals } from '../wire.ts';
import { type CatalogueAdminDeps, resultOf } from './routes.ts';
import { catalogueTag, changers, formatQuery } from './schemas.ts';
import { DigestSchema, importToWire } from './wire.ts';
import type { ImportJob } from './worker/messages.ts';
import type { RunOptions } from './worker/worker.ts';

// More than a hundred thousand typical products; use the command for larger files.
const fileBytes = 64 * 1024 * 1024;

const query = {
  format: formatQuery,
  remove_missing: Type.Optional(
    Type.Enum(['0', '1'], { description: '`1`: remove products that are not in the file.' }),
  ),
};
const PreviewQuery = Type.Object(query);
const ImportQuery = Type.Object({ ...query, digest: DigestSchema });

const body = {
  content: {
    'text/csv': { schema: Type.Unknown({ description: 'The catalogue as CSV.' }) },
    'application/json': {
      schema: Type.Unknown({ description: 'The catalogue: an array of products.', examples: [[]] }),
    },
  },
};

const lines = (description: string) => ({
  description,
  content: {
    'application/x-ndjson': { schema: Type.Unsafe<Readable>(Type.String({ description })) },
  },
});

const schemas = {
  preview: {
    ...catalogueTag,
    operationId: 'previewImport',
    summary: 'Preview an import',
    description:
      'Shows what an import would do. Nothing is changed. The response has one JSON object per line: `progress` with `phase`, `done` and `of`, and finally `result` or `error`.',
    querystring: PreviewQuery,
    body,
    response: {
      200: lines(
        '`{"progress":{…}}`, and finally `{"result":{"created","updated","unchanged","removed","problems":[{"line","message"}],"problem_count","diff":[{"id","name","kind","fields":[{"field","before","after"}]}],"digest"}}`. It lists the first 500 problems and differences. `digest` is null if there are problems.',
      ),
      ...refusals(...changers, 'IMPORT_UNDER_WAY'),
    },
  },
  import: {
    ...catalogueTag,
    operationId: 'importCatalogue',
    summary: 'Import a catalogue',
    description:
      'Makes exactly the change of the preview in one transaction, or none. The status is 200 once the file has arrived. The last line says whether the import succeeded: `result` or `error`.',
    querystring: ImportQuery,
    body,
    response: {
      200: lines(
        '`{"progress":{…}}`, and finally `{"result":{"created","updated","unchanged","removed","version"}}` or `{"error":{"code","message"}}`, such as `CATALOGUE_CHANGED`, `FILE_INVALID`, `CATALOGUE_STOPPED` or `OUTCOME_UNKNOWN`.',
      ),
      ...refusals(...changers, 'IMPORT_UNDER_WAY'),
    },
  },
};

type WireError = { readonly code: AdminErrorCode | ErrorCode; readonly message: string };

const isForeseen = (error: unknown): error is AdminError =>
  error instanceof AdminError && error.cause === undefined;

const errorOf = (error: unknown): WireError => {
  const known = error instanceof AdminError || error instanceof GatewayError;
  const { code, message } = known ? error : new GatewayError('INTERNAL_ERROR');
  return { code, message };
};

const base = '/admin/api/catalogue/import';
const common = { config: { adminNeeds: 'catalogue' }, bodyLimit: fileBytes } as const;

const jobOf = (
  request: FastifyRequest,
  { format, remove_missing }: Static<typeof PreviewQuery>,
  digest: string | undefined,
): ImportJob => {
  const { body: file } = request;
  const isCsv = request.headers['content-type']?.startsWith('text/csv') === true;
  return {
    kind: 'import',
    file: file instanceof Uint8Array ? file : new Uint8Array(),
    format: format ?? (isCsv ? 'csv' : 'json'),
    removeMissing: remove_missing === '1',
    digest,
    actor: actorIn(request),
  };
};

/** Streams a job's progress. */
const follow = (
  { failed }: CatalogueAdminDeps,
  run: (asking: RunOptions) => Promise<unknown>,
  left: AbortSignal,
): Readable => {
  const stream = new PassThrough();
  const say = (line: unknown): void => {
    if (!stream.destroyed) stream.write(`${JSON.stringify(line)}\n`);
  };
  void run({ progress: (progress) => say({ progress }), left })
    .then(
      (result) => say({ result }),
      (error: unknown) => {
        if (!isForeseen(error)) failed(error);
        say({ error: errorOf(error) });
      },
    )
    .finally(() => stream.end());
  return stream;
};

/** One file is in memory at a time: from its announcement until all of it is released. */
const createPlace = ({ worker }: CatalogueAdminDeps) => {
  let holders = 0;
  const hold = (): (() => void) => {
    holders += 1;
    return () => {
      holders -= 1;
    };
  };
  return {
    /** Checked once the sender is known and before the file is read. */
    take: async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (holders > 0) throw new AdminError('IMPORT_UNDER_WAY');
      // A caller that has left would never release it.
      if (reply.raw.destroyed) throw new AdminError('CATALOGUE_STOPPED');
      const free = hold();
      const cutOff = (): void => {
        if (!raw.complete) raw.destroy();
      };
      worker.stopping.addEventListener('abort', cutOff);
      reply.raw.once('close', () => {
        worker.stopping.removeEventListener('abort', cutOff);
        free();
      });
    },
    /** A job holds it too, whether or not its caller still waits. */
    during: async <T>(job: Promise<T>): Promise<T> => job.finally(hold()),
  };
};

/** Aborted when the caller no longer waits for the answer. */
const leaving = ({ raw }: FastifyReply): AbortSignal => {
  const left = new AbortController();
  raw.once('close', () => left.abort());
  if (raw.destroyed) left.abort();
  return left.signal;
};

export const importRoutes =
  (deps: CatalogueAdminDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Here JSON is a file, read with all its problems in another thread.
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser<Buffer>(
      ['text/csv', 'application/json'],
      { parseAs: 'buffer' },
      (_request, file, done) => done(null, file),
    );
    const place = createPlace(deps);
    const onRequest = place.take;
    const type = 'application/x-ndjson; charset=utf-8';

    app.post(
      `${base}/preview`,
      { ...common, onRequest, schema: schemas.preview },
      async (request, reply) => {
        const job = jobOf(request, request.query, undefined);
        const locale = preferredLocale(request.headers['accept-language']);
        const run = async (asking: RunOptions) => {
          const done = await place.during(deps.worker.run(job, asking));
          return importToWire(resultOf(done, 'import').preview, locale);
        };
        reply.type(type).header('vary', 'accept-language');
        return follow(deps, run, leaving(reply));
      },
    );

    app.post(base, { ...common, onRequest, schema: schemas.import }, async (request, reply) => {
      const job = jobOf(request, request.query, request.query.digest);
      const run = async (asking: RunOptions) => {
        const done = await place.during(deps.worker.run(job, asking));
        const { result, version } = resultOf(done, 'imported');
        await deps.reload().catch(deps.failed);
        return { ...result, version };
      };
      reply.type(type);
      return follow(deps, run, leaving(reply));
    });
  };
