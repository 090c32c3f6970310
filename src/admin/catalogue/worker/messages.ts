/** Defines the messages between the gateway and its catalogue worker. */
import type { CatalogueFormat, FileProblem } from '../../../catalogue/file/file.ts';
import type { ImportResult } from '../../../catalogue/write/import.ts';
import type { Place } from '../../../db/open.ts';
import type { Actor } from '../../audit/audit.ts';
import type { AdminErrorCode } from '../../errors.ts';
import type { ProductFilter } from '../filter.ts';
import type { PriceMove, PriceUpdate, Refused } from '../prices.ts';
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
  /** What the preview gave; undefined: this is the preview. */
  readonly digest: string | undefined;
  readonly actor: Actor;
};

export type ImportJob = {
  readonly kind: 'import';
  readonly file: Uint8Array;
  readonly format: CatalogueFormat;
  readonly removeMissing: boolean;
  /** What the preview gave; undefined: this is the preview. */
  readonly digest: string | undefined;
  readonly actor: Actor;
};

export type Job = SwitchJob | PricesJob | ImportJob;

/** Shared by both threads, and other than zero once a job is to end before its end. */
export type Stop = Int32Array<SharedArrayBuffer>;

/** Where the database is, before the first job; a job; or that there are no more of them. */
export type Order =
  | { readonly kind: 'open'; readonly place: Place }
  | { readonly kind: 'job'; readonly job: Job; readonly stop: Stop }
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
  readonly version: string;
  readonly digest: string;
};

export type ImportPreview = Required<ImportResult> & {
  readonly problems: readonly FileProblem[];
  readonly problemCount: number;
  readonly diff: readonly ProductDiff[];
  /** Null where there are problems: then it cannot be done. */
  readonly digest: string | null;
};

export type Done =
  | { readonly kind: 'changed'; readonly changed: number; readonly version: string }
  | { readonly kind: 'prices'; readonly preview: PricePreview }
  | { readonly kind: 'import'; readonly preview: ImportPreview }
  | {
      readonly kind: 'imported';
      readonly result: Required<ImportResult>;
      readonly version: string;
    };

/** Why a job was not done: an error of ours, or an unexpected one. */
export type Failure =
  | {
      readonly kind: 'refused';
      readonly code: AdminErrorCode;
      readonly message: string;
      /** For the log: the unexpected error behind it. */
      readonly cause?: string;
    }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly stack: string | undefined;
      /** Whether the database was away. */
      readonly isUnavailable: boolean;
    };

export type WorkerReply =
  | Done
  | Failure
  | { readonly kind: 'progress'; readonly progress: Progress };

export type OnProgress = (progress: Progress) => void;

/** Asked where work can end without a trace; throws where it shall. */
export type CheckStop = () => void;
