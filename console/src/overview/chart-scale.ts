/** Calculates a chart's scale, label positions and line paths. Pure. */

/** The smallest of 1, 2, 4, 6 or 8 times a power of ten that is at least a value: the end of an axis. */
export const niceTop = (value: number): number => {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return Math.max(1, step * power);
};

/** The values at which an axis has a line: its ends, and its middle if that is as round. */
export const axisValues = (top: number): readonly number[] => {
  const middle = top / 2;
  return top > 1 && Number.isInteger(middle) ? [0, middle, top] : [0, top];
};

/** How many labels of a width fit below an axis. One at an edge may lie inwards, nearer to its neighbour. */
export const labelsThatFit = (inner: number, widest: number): number =>
  Math.max(2, Math.min(7, 1 + Math.floor(inner / (1.5 * widest + 12))));

/** The positions of at most this many labels among the points: the first, and others at even distances. */
export const labelPlaces = (points: number, labels: number): readonly number[] => {
  const distance = Math.max(1, Math.ceil((points - 1) / Math.max(1, labels - 1)));
  return Array.from({ length: Math.ceil(points / distance) }, (_, step) => step * distance);
};

/** Where a label is anchored: in its middle, unless it would leave the drawing. */
export const labelAnchor = (
  x: number,
  labelWidth: number,
  width: number,
): 'start' | 'middle' | 'end' => {
  if (x < labelWidth / 2) return 'start';
  return x + labelWidth / 2 > width ? 'end' : 'middle';
};

/** A line through the measured points, with gaps where nothing was measured. */
export const linePath = (
  values: readonly (number | null)[],
  at: (place: number, value: number) => readonly [x: number, y: number],
): string => {
  let path = '';
  let broken = true;
  for (const [place, value] of values.entries()) {
    if (value === null) {
      broken = true;
      continue;
    }
    const [x, y] = at(place, value);
    path += `${broken ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    broken = false;
  }
  return path;
};
