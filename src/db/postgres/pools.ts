/** Exposes the figures of the connection pool behind a database. */

export type PoolFigures = {
  readonly total: number;
  readonly idle: number;
  /** The requests that wait for a connection. */
  readonly waiting: number;
};

const pools = new WeakMap<object, () => PoolFigures>();

/** Shows the pool behind an adapter. */
export const registerPool = (adapter: object, figures: () => PoolFigures): void => {
  pools.set(adapter, figures);
};

/** The pool behind an adapter; undefined if there is none. */
export const poolFigures = (adapter: object): PoolFigures | undefined => pools.get(adapter)?.();
