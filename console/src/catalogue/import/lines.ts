/** Sends an import file and reads its progress and result line by line. */
import { ApiError, sendFile } from '../../api/client.ts';
import { bytesOf, readLines } from '../../api/ndjson.ts';

export const formats = ['csv', 'json'] as const;
export type Format = (typeof formats)[number];

export type Phase = 'sending' | 'reading' | 'writing';
/** The progress; without a number if the total is unknown. */
export type Progress = { readonly phase: Phase; readonly done?: number; readonly of?: number };

export type Counts = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
};

export type Problem = { readonly line: number; readonly message: string };
export type FieldDiff = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
};
export type ProductDiff = {
  readonly id: number;
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'removed';
  readonly fields: readonly FieldDiff[];
};

export type ImportPreview = Counts & {
  readonly problems: readonly Problem[];
  readonly problem_count: number;
  readonly diff: readonly ProductDiff[];
  /** Null if there are problems. */
  readonly digest: string | null;
};

export type ImportRequest = {
  readonly file: Blob;
  readonly format: Format;
  readonly removeMissing: boolean;
};

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const hasNumbers = (value: Json, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'number');

const isProgress = (value: unknown): value is Progress =>
  isJson(value) &&
  (value['phase'] === 'reading' || value['phase'] === 'writing') &&
  hasNumbers(value, ['done', 'of']);

const isCounts = (value: unknown): value is Counts =>
  isJson(value) && hasNumbers(value, ['created', 'updated', 'unchanged', 'removed']);

const isPreview = (value: unknown): value is ImportPreview =>
  isCounts(value) &&
  'problems' in value &&
  Array.isArray(value.problems) &&
  'diff' in value &&
  Array.isArray(value.diff) &&
  'digest' in value;

/** The stream broke off. The import may still have been applied. */
const cut = (): ApiError => new ApiError('', { code: 'ANSWER_CUT', status: 0 });

async function* linesOf(response: Response): AsyncGenerator<Json> {
  try {
    if (response.body === null) return;
    for await (const line of readLines(bytesOf(response.body))) if (isJson(line)) yield line;
  } catch {
    throw cut();
  }
}

const follow = async (
  response: Response,
  onProgress: (progress: Progress) => void,
): Promise<unknown> => {
  for await (const { progress, result, error } of linesOf(response)) {
    if (isProgress(progress)) onProgress(progress);
    if (isJson(error)) {
      const requestId = response.headers.get('request-id') ?? undefined;
      const given = { code: String(error['code']), status: response.status, requestId };
      throw new ApiError(String(error['message']), given);
    }
    if (result !== undefined) return result;
  }
  throw cut();
};

const mediaTypes = { csv: 'text/csv', json: 'application/json' } as const;

const sent = async (
  id: 'previewImport' | 'importCatalogue',
  { file, format, removeMissing }: ImportRequest,
  {
    digest,
    onProgress,
  }: { readonly digest?: string; readonly onProgress: (progress: Progress) => void },
): Promise<unknown> => {
  onProgress({ phase: 'sending' });
  const query = { format, remove_missing: removeMissing ? '1' : '0', digest };
  return follow(await sendFile(id, { file, type: mediaTypes[format], query }), onProgress);
};

/** Previews an import. */
export const previewImport = async (
  request: ImportRequest,
  onProgress: (progress: Progress) => void,
): Promise<ImportPreview> => {
  const result = await sent('previewImport', request, { onProgress });
  if (!isPreview(result)) throw cut();
  return result;
};

/** Applies it, exactly as the preview with this digest showed. */
export const runImport = async (
  request: ImportRequest,
  digest: string,
  onProgress: (progress: Progress) => void,
): Promise<Counts> => {
  const result = await sent('importCatalogue', request, { digest, onProgress });
  if (!isCounts(result)) throw cut();
  return result;
};
