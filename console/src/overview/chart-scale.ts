/** Calculates a chart's scale, label positions and line paths. Pure. */

/** The smallest of 1, 2 or 5 times a power of ten that is at least a value: the end of an axis. */
export const niceTop = (value: number): number => {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return Math.max(1, step * power);
};

/** The positions of a few labels among this many points: the first, the last, and some between them. */
export const labelPlaces = (points: number, labels: number): readonly number[] => {
  if (points === 0) return [];
  const last = points - 1;
  const steps = Math.max(1, Math.min(labels - 1, last));
  const places = Array.from({ length: steps + 1 }, (_, step) => Math.round((last * step) / steps));
  return [...new Set(places)];
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
