/** Owns batches: calls that arrive while one runs share the next, and so one commit. */

export type BatchOptions<Item, Result> = {
  /** Does all items as one, or throws and has done none of them; gives a result each, in order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** More than this wait for the batch after. */
  readonly most: number;
  /**
   * Waits before each batch for what is about to arrive. A database that works in this thread lets no
   * request in while it commits: without this turn for them nobody would ever join a batch.
   */
  readonly gather?: () => Promise<void>;
  /** Whether an error would meet each half of a batch as it met the whole; then it is not halved. */
  readonly meetsAll?: (error: unknown) => boolean;
  /** Whether an error proves that nothing of its run was done; as `run` is described, each does. */
  readonly provesNothing?: (error: unknown) => boolean;
  /** The item for its next run, where an earlier one may have been done although it failed. */
  readonly doubted?: (item: Item) => Item;
};

/** What failed before, and may have been done all the same. */
type Doubt = { readonly error: unknown };

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** Gives a function that does one item, together with those that others want done at that time. */
export const createBatch = <Item, Result>({
  run,
  most,
  gather,
  meetsAll = () => false,
  provesNothing = () => true,
  doubted = (item) => item,
}: BatchOptions<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = [];
  let running = false;

  /**
   * One that fails never fails its neighbours: a batch is halved until the culprit stands alone. Where the whole may
   * have been done, a half that fails for good gets the error of the whole: its own would hide that.
   */
  const runOrHalve = async (
    batch: readonly Waiting<Item, Result>[],
    before?: Doubt,
  ): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A batch lost a result.');
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || meetsAll(error)) {
        for (const { reject } of batch) reject(before === undefined ? error : before.error);
        return;
      }
      const doubt = before ?? (provesNothing(error) ? undefined : { error });
      const again =
        doubt === undefined ? batch : batch.map((one) => ({ ...one, item: doubted(one.item) }));
      const half = Math.ceil(again.length / 2);
      await runOrHalve(again.slice(0, half), doubt);
      await runOrHalve(again.slice(half), doubt);
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
