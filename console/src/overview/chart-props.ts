/** Defines what a chart shows. */
import type { StyleName } from './chart-styles.tsx';

export type Series = {
  readonly name: string;
  readonly styleName: StyleName;
  /** Null if nothing was measured. */
  readonly values: readonly (number | null)[];
};

export type ChartProps = {
  readonly title: string;
  readonly kind: 'lines' | 'bars';
  /** The name of each point, and its label on the axis. */
  readonly times: readonly string[];
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  readonly write: (value: number) => string;
  /** A value on the axis, in as few characters as possible. */
  readonly writeAxis: (value: number) => string;
  /** The axis reaches at least this value, so that small ones look small. */
  readonly leastTop?: number;
  readonly note?: string;
};
