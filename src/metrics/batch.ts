/** Measures batches: size, waiting time and duration. */
import { type BatchOptions, createBatch } from '../lib/batch.ts';
import type { Clock } from '../lib/clock.ts';
import type { BatchName, Metrics } from './metrics.ts';

/** Creates a named batch, as `createBatch` does. */
export type MakeBatch = <Item, Result>(
  name: BatchName,
  options: BatchOptions<Item, Result>,
) => (item: Item) => Promise<Result>;

export const unmeasured: MakeBatch = (_name, options) => createBatch(options);

export const measuredBatches =
  (clock: Pick<Clock, 'monotonic'>, metrics: Pick<Metrics, 'batch'>): MakeBatch =>
  <Item, Result>(name: BatchName, options: BatchOptions<Item, Result>) => {
    const { waited, began, ended } = metrics.batch(name);
    type Timed = { readonly item: Item; readonly since: number };
    const batch = createBatch<Timed, Result>({
      ...options,
      run: async (items) => {
        const started = clock.monotonic();
        for (const { since } of items) waited(started - since);
        began(items.length);
        try {
          return await options.run(items.map(({ item }) => item));
        } finally {
          ended(clock.monotonic() - started);
        }
      },
    });
    return (item: Item) => batch({ item, since: clock.monotonic() });
  };
