/** Owns the counting of what goes on, and the wait for its end. */

/** Counts what goes on, also what nobody waits for. */
export const createTracker = () => {
  let going = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: (): void => {
      going += 1;
    },
    end: (): void => {
      going -= 1;
      if (going > 0) return;
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    },
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        if (going === 0) resolve();
        else waiting.push(resolve);
      }),
  };
};
