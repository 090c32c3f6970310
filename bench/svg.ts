/** Draws curves as one self-contained SVG: panels below each other that share the time axis. */

export type Point = readonly [x: number, y: number];
export type Series = { readonly name: string; readonly points: readonly Point[] };
export type Panel = {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
  /** A limit, if it is in range. */
  readonly limit?: number;
};
export type Drawing = {
  readonly title: string;
  readonly subtitle: string;
  readonly timeUnit: string;
  readonly panels: readonly Panel[];
};

/** Maps a range of values linearly to a range of positions. */
export const scaleOf =
  (from: Point, to: Point) =>
  (value: number): number =>
    from[1] === from[0]
      ? to[0]
      : to[0] + ((value - from[0]) / (from[1] - from[0])) * (to[1] - to[0]);

/** Round values from zero to at least `max`, some `wanted` of them. */
export const ticksUpTo = (max: number, wanted: number): number[] => {
  const rough = Math.max(max, Number.EPSILON) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
};

/** At most this many points; of those that coincide the highest stays, so that no peak is lost. */
export const thinned = (points: readonly Point[], most: number): readonly Point[] => {
  const together = Math.ceil(points.length / most);
  if (together <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / together) }, (_, index) =>
    points
      .slice(index * together, (index + 1) * together)
      .reduce((highest, point) => (point[1] > highest[1] ? point : highest)),
  );
};

const size = { width: 960, left: 76, right: 24, top: 70, panel: 128, gap: 50, bottom: 46 } as const;
const right = size.width - size.right;
const mostPoints = 800;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => escapes[character] ?? '');

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}"${attributes === '' ? '' : ` ${attributes}`}>${escaped(content)}</text>`;

const rounded = (value: number): string => value.toFixed(1);

const label = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 3 });

const highest = (panel: Panel): number =>
  panel.series
    .flatMap(({ points }) => points.map(([, y]) => y))
    .reduce((most, y) => Math.max(most, y), 0);

const legend = (panel: Panel, y: number): string => {
  const names = panel.series.map(
    ({ name }, index) =>
      `<tspan class="name${index}"${index === 0 ? '' : ' dx="18"'}>${escaped(name)}</tspan>`,
  );
  return `<text x="${right}" y="${y}" text-anchor="end">${names.join('')}</text>`;
};

const drawPanel = (panel: Panel, top: number, toX: (x: number) => number): string => {
  const bottom = top + size.panel;
  const ticks = ticksUpTo(highest(panel), 4);
  const most = ticks.at(-1) ?? 1;
  const toY = scaleOf([0, most], [bottom, top]);
  const grid = ticks.map((value) => {
    const y = rounded(toY(value));
    const line = `<line class="grid" x1="${size.left}" y1="${y}" x2="${right}" y2="${y}"/>`;
    return (
      line + text(size.left - 8, toY(value) + 4, label(value), 'class="tick" text-anchor="end"')
    );
  });
  const limit = panel.limit ?? Number.POSITIVE_INFINITY;
  const limitY = rounded(toY(limit));
  const curves = panel.series.map(({ points }, index) => {
    const places = thinned(points, mostPoints).map(
      ([x, y]) => `${rounded(toX(x))},${rounded(toY(y))}`,
    );
    return `<polyline class="curve${index}" points="${places.join(' ')}"/>`;
  });
  return [
    text(size.left, top - 12, `${panel.title}, ${panel.unit}`, 'class="heading"'),
    legend(panel, top - 12),
    ...grid,
    ...(limit <= most
      ? [`<line class="limit" x1="${size.left}" y1="${limitY}" x2="${right}" y2="${limitY}"/>`]
      : []),
    ...curves,
  ].join('\n');
};

const style = `
  svg { --back: #fff; --ink: #1f2328; --faint: #59636e; --grid: #d8dee4; --limit: #cf222e;
    --one: #0969da; --two: #bc4c00; --three: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    svg { --back: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #30363d; --limit: #ff7b72;
      --one: #58a6ff; --two: #f0883e; --three: #3fb950; }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink); }
  .title { font-size: 19px; font-weight: 600; }
  .heading { font-weight: 600; }
  .tick, .faint { fill: var(--faint); font-size: 12px; }
  .grid { stroke: var(--grid); }
  .limit { stroke: var(--limit); stroke-dasharray: 5 4; }
  polyline { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
  .curve0 { stroke: var(--one); } .curve1 { stroke: var(--two); } .curve2 { stroke: var(--three); }
  .name0 { fill: var(--one); } .name1 { fill: var(--two); } .name2 { fill: var(--three); }
`;

export const draw = ({ title, subtitle, timeUnit, panels }: Drawing): string => {
  const height = size.top + panels.length * (size.panel + size.gap) + size.bottom;
  const end = panels
    .flatMap(({ series }) => series.flatMap(({ points }) => points.map(([x]) => x)))
    .reduce((most, x) => Math.max(most, x), 0);
  const times = ticksUpTo(end, 10).filter((value) => value <= end);
  const toX = scaleOf([0, Math.max(end, Number.EPSILON)], [size.left, right]);
  const last = size.top + size.gap / 2 + panels.length * (size.panel + size.gap) - size.gap;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${size.width}" height="${height}" style="fill: var(--back)"/>`,
    text(size.left, 32, title, 'class="title"'),
    text(size.left, 54, subtitle, 'class="faint"'),
    ...panels.map((panel, index) =>
      drawPanel(panel, size.top + size.gap / 2 + index * (size.panel + size.gap), toX),
    ),
    ...times.map((value) =>
      text(toX(value), last + 20, label(value), 'class="tick" text-anchor="middle"'),
    ),
    text((size.left + right) / 2, last + 42, `time, ${timeUnit}`, 'text-anchor="middle"'),
    '</svg>',
  ].join('\n')}\n`;
};
