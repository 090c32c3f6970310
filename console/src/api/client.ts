/** Calls the gateway's API with typed requests, answers and errors. */
import { apiBase } from '../place.ts';
import { preferences } from '../preferences.ts';
import { proofGiven } from './proof.ts';
import { type Operations, places } from './types.ts';

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

type Part<
  Id extends OperationId,
  Name extends 'params' | 'query' | 'body',
> = Operations[Id][Name] extends undefined
  ? { readonly [Key in Name]?: undefined }
  : Name extends 'query'
    ? { readonly [Key in Name]?: Operations[Id][Name] }
    : { readonly [Key in Name]: Operations[Id][Name] };

/** The arguments of a call. */
export type Given<Id extends OperationId> = Part<Id, 'params'> &
  Part<Id, 'query'> &
  Part<Id, 'body'>;

type ErrorFields = Readonly<Record<string, readonly string[]>>;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  /** The errors by field. */
  readonly fields: ErrorFields;
  /** How long to wait, if the gateway said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    given: {
      readonly code: string;
      readonly status: number;
      readonly requestId?: string | undefined;
      readonly fields?: ErrorFields;
      readonly retryAfterSeconds?: number | undefined;
    },
  ) {
    super(message);
    this.code = given.code;
    this.status = given.status;
    this.requestId = given.requestId;
    this.fields = given.fields ?? {};
    this.retryAfterSeconds = given.retryAfterSeconds;
  }
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const textIn = (body: Json, key: string): string | undefined => {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
};

const fieldsIn = (body: Json): ErrorFields => {
  const { errors } = body;
  if (!isJson(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, sentences]) => [
      field,
      Array.isArray(sentences) ? sentences.map(String) : [],
    ]),
  );
};

const parsed = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

const errorOf = async (response: Response): Promise<ApiError> => {
  const read = await parsed(response);
  const body = isJson(read) ? read : {};
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(textIn(body, 'message') ?? response.statusText, {
    code: textIn(body, 'code') ?? 'UNKNOWN',
    status: response.status,
    requestId: textIn(body, 'request_id') ?? response.headers.get('request-id') ?? undefined,
    fields: fieldsIn(body),
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  });
};

const listeners = new Set<() => void>();

/** Calls back when an answer says that the session has ended; returns how to unsubscribe. */
export const onSessionLost = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Codes that mean that the session has ended, or lacks its second factor. */
export const isSessionLost = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  ['SESSION_MISSING', 'CODE_NEEDED', 'SECOND_FACTOR_REQUIRED'].includes(error.code);

type Params = Readonly<Record<string, string | number>>;

const pathWith = (path: string, params: Params | undefined): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  );

const queryOf = (query: Json | undefined): string => {
  const given = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

const send = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    const headers = new Headers(init.headers);
    headers.set('accept-language', preferences().locale);
    return await fetch(url, { ...init, headers, credentials: 'same-origin', cache: 'no-store' });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError('', { code: 'NETWORK', status: 0 });
  }
};

type Parts = {
  readonly params?: Params | undefined;
  readonly query?: Json | undefined;
  readonly body?: unknown;
};

/** A successful answer. */
const answered = async (
  id: OperationId,
  { params, query }: Parts,
  init: RequestInit,
  again = false,
): Promise<Response> => {
  const { method, path } = places[id];
  const url = apiBase + pathWith(path, params) + queryOf(query);
  const response = await send(url, { ...init, method });
  if (response.ok) return response;
  const error = await errorOf(response);
  // Nothing was done: it is sent again after the proof.
  if (error.code === 'PROOF_NEEDED' && !again && (await proofGiven())) {
    return answered(id, { params, query }, init, true);
  }
  // A caller that reads the session itself learns it from the answer.
  if (isSessionLost(error) && id !== 'getMe') for (const listener of listeners) listener();
  throw error;
};

const asJson = (body: unknown): RequestInit =>
  body === undefined
    ? {}
    : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };

/** Fetches a file, completely or not at all. */
export const fetchFile = async <Id extends OperationId>(
  id: Id,
  given: Given<Id>,
): Promise<Blob> => {
  const parts: Parts = given;
  const response = await answered(id, parts, asJson(parts.body));
  try {
    return await response.blob();
  } catch {
    throw new ApiError('', { code: 'NETWORK', status: 0 });
  }
};

/** Uploads a file. The answer is passed on as it streams. */
export const sendFile = (
  id: OperationId,
  { file, type, query }: { readonly file: Blob; readonly type: string; readonly query: Json },
): Promise<Response> => answered(id, { query }, { body: file, headers: { 'content-type': type } });

/** The gateway's answers follow the very schemas from which these types are generated. */
const isAnswer = <Id extends OperationId>(id: Id, value: unknown): value is Answer<Id> =>
  Object.hasOwn(places, id) && (value === undefined || isJson(value));

/** Calls one operation of the back office. */
export const call = async <Id extends OperationId>(
  id: Id,
  given: Given<Id>,
  signal?: AbortSignal,
): Promise<Answer<Id>> => {
  const parts: Parts = given;
  const response = await answered(id, parts, {
    ...(signal === undefined ? {} : { signal }),
    ...asJson(parts.body),
  });
  const value = await parsed(response);
  if (!isAnswer(id, value)) throw new ApiError('', { code: 'UNKNOWN', status: 200 });
  return value;
};
