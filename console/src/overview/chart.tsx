/** Shows a time series as a chart with a selectable point, and as a table. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Section } from '../design/page/section.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Drawing, frame, useScale } from './chart-drawing.tsx';
import type { ChartProps } from './chart-props.ts';
import { Legend } from './chart-styles.tsx';

/** The width of an element, updated when the window changes. */
const useWidth = () => {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
};

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  ArrowUp: (place) => place + 1,
  PageDown: (place) => place - 10,
  PageUp: (place) => place + 10,
  Home: () => 0,
  End: (_place, last) => last,
};

/** A point in words. */
const useWords = ({ times, series, write }: ChartProps): ((place: number) => string) => {
  const say = useText();
  return (place) => {
    const values = series.map(({ name, values }) => {
      const value = values[place] ?? null;
      return say('overview.value', {
        name,
        value: value === null ? say('common.none') : write(value),
      });
    });
    return say('overview.point', { time: times[place] ?? '', values: values.join(' · ') });
  };
};

const Picture = (props: ChartProps) => {
  const say = useText();
  const words = useWords(props);
  const [note, help] = [useId(), useId()];
  const { box, width } = useWidth();
  const scale = useScale(props);
  const last = props.times.length - 1;
  const [chosen, setChosen] = useState<number>();
  const place = Math.min(chosen ?? last, last);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    setChosen(Math.min(last, Math.max(0, move(place, last))));
  };
  return (
    <>
      <Box
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={props.title}
        aria-describedby={`${note} ${help}`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={place}
        aria-valuetext={words(place)}
        // Time runs from left to right in every language.
        dir="ltr"
        onKeyDown={onKeyDown}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left } = currentTarget.getBoundingClientRect();
          setChosen(frame(width, scale.left).placeAt(clientX - left, props.times.length));
        }}
        onPointerLeave={() => setChosen(undefined)}
        onBlur={() => setChosen(undefined)}
        sx={{ height: 190, minWidth: 0, touchAction: 'pan-y' }}
      >
        {width > 0 ? <Drawing {...props} {...scale} width={width} chosen={chosen} /> : null}
      </Box>
      <Typography variant="body2" sx={{ minHeight: '1.5em' }} aria-hidden="true">
        {chosen === undefined ? '' : words(place)}
      </Typography>
      <Typography variant="caption" color="textSecondary" component="p">
        <span id={note}>{props.note}</span>{' '}
        {/* Of use only to those who have come here by keyboard. Its room is kept: nothing moves. */}
        <Box
          component="span"
          id={help}
          sx={{ visibility: 'hidden', ':focus-visible ~ p > &': { visibility: 'visible' } }}
        >
          {say('overview.chartHelp')}
        </Box>
      </Typography>
    </>
  );
};

type Row = { readonly place: number; readonly time: string };

const Values = ({ title, times, series, write }: ChartProps) => {
  const say = useText();
  const columns: readonly Column<Row>[] = [
    { key: 'time', label: say('overview.time'), cell: ({ time }) => time },
    ...series.map(
      ({ name, values }): Column<Row> => ({
        key: name,
        label: name,
        numeric: true,
        cell: ({ place }) => {
          const value = values[place] ?? null;
          return value === null ? say('common.none') : write(value);
        },
      }),
    ),
  ];
  const rows = times.map((time, place) => ({ place, time }));
  return (
    <Table
      name={say('overview.tableOf', { name: title })}
      columns={columns}
      rows={rows}
      keyOf={({ place }) => String(place)}
      height={360}
    />
  );
};

export const Chart = (props: ChartProps) => {
  const say = useText();
  const { locale } = useFormat();
  const [open, setOpen] = useState(false);
  return (
    <Section
      title={props.title}
      actions={
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {say(open ? 'overview.noTable' : 'overview.asTable')}
        </Button>
      }
    >
      <Legend series={props.series} />
      <Picture key={locale} {...props} />
      {open ? (
        <Box sx={{ mt: 1.5 }}>
          <Values {...props} />
        </Box>
      ) : null}
    </Section>
  );
};
