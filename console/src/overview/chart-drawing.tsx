/** Draws a chart as SVG: axes, lines or stacked bars, and the selected point. */
import { useTheme } from '@mui/material/styles';
import { useId } from 'react';
import type { ChartProps } from './chart-props.ts';
import {
  axisValues,
  labelAnchor,
  labelPlaces,
  labelsThatFit,
  linePath,
  niceTop,
} from './chart-scale.ts';
import { fillOf, Patterns, useStyles } from './chart-styles.tsx';
import { widestOf } from './text-width.ts';

const height = 190;
const edges = { right: 12, top: 10, bottom: 26 };
const fontSize = 12;

/** The layout of a drawing of that width, with room for the axis at its left. */
export const frame = (width: number, left: number) => {
  const inner = Math.max(1, width - left - edges.right);
  const tall = height - edges.top - edges.bottom;
  return {
    inner,
    /** The centre of a point's column. */
    x: (place: number, points: number) => left + ((place + 0.5) * inner) / points,
    y: (value: number, top: number) => edges.top + tall * (1 - value / top),
    share: (points: number) => inner / points,
    placeAt: (x: number, points: number) =>
      Math.min(points - 1, Math.max(0, Math.floor(((x - left) / inner) * points))),
  };
};

const topOf = ({ kind, series, times, leastTop = 0 }: ChartProps): number => {
  const sums = times.map((_, place) => {
    const values = series.map(({ values }) => values[place] ?? 0);
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  return niceTop(Math.max(leastTop, ...sums));
};

/** The end of the axis, and the room that its labels need. */
export const useScale = (props: ChartProps) => {
  const { typography } = useTheme();
  const font = `${fontSize}px ${typography.fontFamily}`;
  const top = topOf(props);
  const left = widestOf(axisValues(top).map(props.writeAxis), font) + 8;
  return { top, left, labelWidth: widestOf(props.labels, font) };
};

type Drawn = ChartProps & ReturnType<typeof useScale> & { readonly width: number };

const Axes = ({ width, left, top, labels, labelWidth, writeAxis }: Drawn) => {
  const { palette, typography, direction } = useTheme();
  const { x, y, inner } = frame(width, left);
  const few = labelPlaces(labels.length, labelsThatFit(inner, labelWidth));
  const text = { fill: palette.text.secondary, fontSize, fontFamily: typography.fontFamily };
  return (
    <g>
      {axisValues(top).map((value) => (
        <g key={value}>
          <line
            x1={left}
            x2={width - edges.right}
            y1={y(value, top)}
            y2={y(value, top)}
            stroke={palette.divider}
          />
          <text
            {...text}
            x={left - 6}
            y={y(value, top) + 4}
            // A chart is drawn from left to right in every language, words such as "million" are not.
            direction={direction}
            textAnchor={direction === 'rtl' ? 'start' : 'end'}
          >
            {writeAxis(value)}
          </text>
        </g>
      ))}
      {few.map((place) => (
        <text
          {...text}
          key={place}
          x={x(place, labels.length)}
          y={height - 6}
          textAnchor={labelAnchor(x(place, labels.length), labelWidth, width)}
        >
          {labels[place]}
        </text>
      ))}
    </g>
  );
};

const Lines = ({ width, left, top, series, times }: Drawn) => {
  const styles = useStyles();
  const { x, y } = frame(width, left);
  const at = (place: number, value: number) => [x(place, times.length), y(value, top)] as const;
  return (
    <g fill="none" strokeWidth="2" strokeLinejoin="round">
      {series.map(({ name, styleName, values }) => {
        const { colour, dash } = styles[styleName];
        return (
          <g key={name} stroke={colour}>
            <path d={linePath(values, at)} strokeDasharray={dash} />
            {values.map((value, place) => {
              const alone =
                value !== null &&
                (values[place - 1] ?? null) === null &&
                (values[place + 1] ?? null) === null;
              if (!alone) return null;
              const [cx, cy] = at(place, value);
              return <circle key={times[place]} cx={cx} cy={cy} r="2.5" fill={colour} />;
            })}
          </g>
        );
      })}
    </g>
  );
};

// A day that has just begun has few hours.
const widestBar = 48;

/** The stacked bars of one point. */
const Stack = ({
  place,
  id,
  drawn,
}: {
  readonly place: number;
  readonly id: string;
  readonly drawn: Drawn;
}) => {
  const styles = useStyles();
  const { width, left, top, series, times } = drawn;
  const { x, y, share } = frame(width, left);
  const wide = Math.min(widestBar, Math.max(1, share(times.length) * 0.75));
  let below = 0;
  return (
    <g>
      {series.map(({ name, styleName, values }) => {
        const value = values[place] ?? 0;
        const from = below;
        below += value;
        if (value === 0) return null;
        return (
          <rect
            key={name}
            x={x(place, times.length) - wide / 2}
            y={y(below, top)}
            width={wide}
            height={y(from, top) - y(below, top)}
            fill={fillOf(id, styleName, styles[styleName])}
            stroke={styles[styleName].colour}
            strokeWidth="0.75"
          />
        );
      })}
    </g>
  );
};

export const Drawing = (props: Drawn & { readonly chosen: number | undefined }) => {
  const { palette } = useTheme();
  const id = useId();
  const { width, left, chosen, kind, times } = props;
  const marked = chosen === undefined ? undefined : frame(width, left).x(chosen, times.length);
  return (
    <svg width={width} height={height} aria-hidden="true" focusable="false">
      <Patterns id={id} />
      <Axes {...props} />
      {kind === 'lines' ? (
        <Lines {...props} />
      ) : (
        times.map((time, place) => <Stack key={time} place={place} id={id} drawn={props} />)
      )}
      {marked === undefined ? null : (
        <line
          x1={marked}
          x2={marked}
          y1={edges.top}
          y2={height - edges.bottom}
          stroke={palette.text.primary}
          strokeDasharray="3 2"
        />
      )}
    </svg>
  );
};
