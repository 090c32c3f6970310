/** Parses request bodies, and validates requests against their schemas. */
import type { FastifyInstance } from 'fastify';
import { IsSchema, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { GatewayError } from '../lib/errors.ts';
import { fieldErrors } from '../lib/schema-errors.ts';
import type { Text } from '../lib/text.ts';
import { decodeUtf8 } from '../lib/utf8.ts';

const malformed = (message: Text, cause?: unknown): GatewayError =>
  new GatewayError('MALFORMED_REQUEST', { message }, { cause });

const notJson = { en: 'The body is not valid JSON.', fa: 'بدنهٔ درخواست JSON معتبر نیست.' };
const unreadable = { en: 'The body cannot be read.', fa: 'بدنهٔ درخواست قابل خواندن نیست.' };

declare module 'fastify' {
  interface FastifyRequest {
    /** A raw JSON body, byte for byte as Latin-1; undefined if there is none. */
    bodyText: string | undefined;
  }
}

/** JSON and nothing else. An empty body counts as none. */
export const readBodies = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.decorateRequest('bodyText', undefined);
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', {
        message: {
          en: 'Compressed bodies are not supported. Send the body uncompressed.',
          fa: 'بدنهٔ فشرده پشتیبانی نمی‌شود. بدنه را بدون فشرده‌سازی بفرستید.',
        },
      });
    }
  });
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      request.bodyText = body.toString('latin1');
      try {
        const text = decodeUtf8(body);
        if (text.trim() === '') return done(null, undefined);
        return parseJson(request, text, (error, value) => {
          done(error === null ? null : malformed(notJson, error), value);
        });
      } catch (error) {
        return done(error instanceof Error ? error : malformed(unreadable));
      }
    },
  );
};

const notUsed = (): never => {
  throw new Error('Schemas are compiled by `validateWith`.');
};

/** Keeps the framework from loading its own compilers, which take a tenth of a start. */
export const noOtherCompilers = { buildValidator: notUsed, buildSerializer: notUsed };

/** One schema validates, types and describes; errors are reported field by field. */
export const validateWith = (app: FastifyInstance): void => {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    if (!IsSchema(schema)) throw new TypeError('A route must be described by a TypeBox schema.');
    // On first use: compiling all takes a tenth of a start, and most routes are rarely used.
    let check: Validator | undefined;
    return (value: unknown) => {
      check ??= Compile(schema);
      if (check.Check(value)) return { value };
      const errors = fieldErrors(schema, value, httpPart ?? 'request');
      return { error: new GatewayError('VALIDATION_FAILED', { errors }) };
    };
  });
};
