/** Schedules an open-loop load: when each request is due, independent of earlier answers. */

export type Rate = {
  readonly perSecond: number;
  /** The rate rises evenly from zero for this long: the JIT has to see the load first. */
  readonly rampSeconds: number;
};

/** How many are due by a time, in seconds from the beginning. */
export const dueBy = ({ perSecond, rampSeconds }: Rate, seconds: number): number =>
  seconds < rampSeconds
    ? (perSecond * seconds ** 2) / (2 * rampSeconds)
    : perSecond * (seconds - rampSeconds / 2);

/** When one is due, in seconds from the beginning; the first is number 0. */
export const dueAt = ({ perSecond, rampSeconds }: Rate, index: number): number => {
  const inRamp = (perSecond * rampSeconds) / 2;
  return index < inRamp
    ? Math.sqrt((2 * index * rampSeconds) / perSecond)
    : rampSeconds / 2 + index / perSecond;
};

const tickMs = 2;

/** Calls `send` for each when it is due, with its due time; resolves after the last call. */
export const sendAtRate = (
  rate: Rate,
  count: number,
  send: (index: number, due: number) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const now = (performance.now() - start) / 1000;
      const due = Math.min(count, 1 + Math.floor(dueBy(rate, now)));
      for (; sent < due; sent += 1) send(sent, start + dueAt(rate, sent) * 1000);
      if (sent < count) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
