/** Groups concurrent calls into batches, so that they share one commit. */

export type BatchOptions<Item, Result> = {
  /** Runs all items as one, or throws with none of them done; returns a result each, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** More than this wait for the next batch. */
  readonly most: number;
  /**
   * Waits before each batch for requests about to arrive. A database in this thread blocks all requests while
   * it commits: without this turn no request would ever join a batch.
   */
  readonly gather?: () => Promise<void>;
  /** Whether all items of a batch get this error; after any other the batch is halved and run again. */
  readonly meetsAll?: (error: unknown) => boolean;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Returns a function that runs one item, together with concurrent ones. */
export const createBatch = <Item, Result>({
  run,
  most,
  gather,
  meetsAll = () => false,
}: BatchOptions<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;

  /** A failing item never fails its neighbours: a batch is halved until the culprit is alone. */
  const runOrHalve = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A batch lost a result.');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || meetsAll(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await runOrHalve(batch.slice(0, half));
      await runOrHalve(batch.slice(half));
    }
  };

  const flush = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      if (gather !== undefined) await gather();
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await runOrHalve(batch);
    }
    running = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void flush();
    });
};
