/** Defines the messages between the gateway and its catalogue worker. */
import type { CatalogueFormat, FileProblem } from '../../../catalogue/file/file.ts';
import type { ImportResult } from '../../../catalogue/write/import.ts';
import type { WriteDeps } from '../../../catalogue/write/write.ts';
import type { Place } from '../../../db/open.ts';
import type { FieldErrors } from '../../../lib/errors.ts';
import type { Text } from '../../../lib/text.ts';
import type { Actor, Person } from '../../audit/audit.ts';
import type { AdminErrorCode } from '../../errors.ts';
import type { ProductFilter } from '../filter.ts';
import type { PriceMove, PriceSummary, PriceUpdate, Refused } from '../prices.ts';
import type { Reverted, Saved } from './answers.ts';
import type { ProductDiff } from './diff.ts';

export type SwitchJob = {
  readonly kind: 'switch';
  readonly productIds: readonly number[];
  readonly on: boolean;
  readonly actor: Actor;
};

export type PricesJob = {
  readonly kind: 'prices';
  readonly which: { readonly productIds: readonly number[] } | { readonly filter: ProductFilter };
  readonly update: PriceUpdate;
  readonly personalOffers: readonly number[];
  /** The preview's digest; undefined: this is the preview. */
  readonly digest: string | undefined;
  readonly actor: Actor;
};

export type ImportJob = {
  readonly kind: 'import';
  readonly file: Uint8Array;
  readonly format: CatalogueFormat;
  readonly removeMissing: boolean;
  /** The preview's digest; undefined: this is the preview. */
  readonly digest: string | undefined;
  readonly actor: Actor;
};

/** Fields as an import takes them, and `category_ids` in place of the categories. */
export type EditFields = Readonly<Record<string, unknown>>;

export type EditJob = {
  readonly kind: 'edit';
  /** The product as it was loaded; undefined: a new one. */
  readonly loaded: { readonly id: number; readonly revision: string } | undefined;
  /** Those that change; of a new product all. */
  readonly fields: EditFields;
  readonly key: string;
  readonly actor: Person;
};

export type RevertJob = {
  readonly kind: 'revert';
  readonly changeId: string;
  /** Undefined: this is the preview. */
  readonly key: string | undefined;
  readonly actor: Person;
};

export type Job = SwitchJob | PricesJob | ImportJob | EditJob | RevertJob;

/** Shared by both threads; not zero once the job is to be cancelled. */
export type Stop = Int32Array<SharedArrayBuffer>;

/** The database's location, sent before the first job; a job; or the end of all jobs. */
/** What jobs need that read products. */
export type ReadingDeps = WriteDeps & { readonly operators: readonly number[] };

export type Order =
  | { readonly kind: 'open'; readonly place: Place; readonly operators: readonly number[] }
  | {
      readonly kind: 'job';
      readonly job: Job;
      readonly stop: Stop;
      /** How far the gateway's clock is ahead of the system's: none, but in tests. */
      readonly aheadMs: number;
    }
  | { readonly kind: 'end' };

export type Progress = {
  readonly phase: 'reading' | 'writing';
  readonly done: number;
  readonly of: number;
};

export type PricePreview = {
  readonly data: readonly PriceMove[];
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: readonly Refused[];
  readonly refusedCount: number;
  readonly summary: PriceSummary;
  readonly version: string;
  readonly digest: string;
};

export type ImportPreview = Required<ImportResult> & {
  readonly problems: readonly FileProblem[];
  readonly problemCount: number;
  readonly diff: readonly ProductDiff[];
  /** Null if there are problems, which prevent it. */
  readonly digest: string | null;
};

export type Done =
  | { readonly kind: 'changed'; readonly changed: number; readonly version: string }
  | {
      readonly kind: 'priced';
      readonly changed: number;
      readonly version: string;
      readonly changeId: string | null;
    }
  | { readonly kind: 'saved'; readonly saved: Saved }
  | { readonly kind: 'revert'; readonly preview: Omit<Reverted, 'change_id' | 'version'> }
  | { readonly kind: 'reverted'; readonly reverted: Reverted }
  | { readonly kind: 'prices'; readonly preview: PricePreview }
  | { readonly kind: 'import'; readonly preview: ImportPreview }
  | {
      readonly kind: 'imported';
      readonly result: Required<ImportResult>;
      readonly version: string;
    };

/** Why a job failed: an error of ours, invalid fields, or an unexpected error. */
export type Failure =
  | {
      readonly kind: 'refused';
      readonly code: AdminErrorCode;
      readonly text: Text;
      /** For the log: the unexpected error behind it. */
      readonly cause?: string;
    }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly stack: string | undefined;
      /** Whether the database was unavailable. */
      readonly isUnavailable: boolean;
    };

export type WorkerReply =
  | Done
  | Failure
  | { readonly kind: 'progress'; readonly progress: Progress };

export type OnProgress = (progress: Progress) => void;

/** Called where work can be cancelled without a trace; throws to cancel it. */
export type CheckStop = () => void;
