/** Owns the signals that ask the process to stop. */

/** Resolves with the signal that asks the process to stop. A second one ends it at once. */
export const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        for (const again of ['SIGTERM', 'SIGINT'] as const) {
          process.removeAllListeners(again).once(again, () => process.exit(130));
        }
        resolve(signal);
      });
    }
  });
