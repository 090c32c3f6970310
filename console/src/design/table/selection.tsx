/** Chooses rows of a table by checkboxes: one by one, or all that are shown. */
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Selection, TableProps } from './column.ts';

/** On a phone: the box is where the text of a row begins, whatever room a finger has around it. */
export const atEdge = { marginInlineStart: -1.5 } as const;

const small = { p: 0, marginBlock: '-4px' } as const;

export const ChooseRow = <Row,>({
  row,
  id,
  selection: { chosen, onChange, nameOf, canChoose },
}: {
  readonly row: Row;
  readonly id: string;
  readonly selection: Selection<Row>;
}) => {
  const say = useText();
  if (canChoose?.(row) === false) return null;
  return (
    <Checkbox
      checked={chosen.has(id)}
      sx={small}
      slotProps={{ input: { 'aria-label': say('common.selectRow', { name: nameOf(row) }) } }}
      onChange={(_event, on) => {
        const next = new Set(chosen);
        if (on) next.add(id);
        else next.delete(id);
        onChange(next);
      }}
    />
  );
};

export const ChooseAll = <Row,>({
  rows,
  keyOf,
  selection: { chosen, onChange, canChoose },
  labelled = false,
}: Pick<TableProps<Row>, 'rows' | 'keyOf'> & {
  readonly selection: Selection<Row>;
  /** With its text beside it, where no column heads it. */
  readonly labelled?: boolean;
}) => {
  const say = useText();
  const keys = rows.filter((row) => canChoose?.(row) !== false).map(keyOf);
  const count = keys.filter((key) => chosen.has(key)).length;
  const label = say('common.selectAll');
  const box = (
    <Checkbox
      checked={count > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      disabled={keys.length === 0}
      sx={small}
      {...(labelled ? {} : { slotProps: { input: { 'aria-label': label } } })}
      onChange={(_event, on) => {
        const others = [...chosen].filter((key) => !keys.includes(key));
        onChange(new Set(on ? [...others, ...keys] : others));
      }}
    />
  );
  if (!labelled) return box;
  return <FormControlLabel control={box} label={label} sx={{ ...atEdge, typography: 'body2' }} />;
};

/** The chosen rows among those that are shown: what is on another page is not chosen any more. */
export const useChosen = <Row,>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): {
  readonly chosen: ReadonlySet<string>;
  readonly rows: readonly Row[];
  readonly choose: (chosen: ReadonlySet<string>) => void;
} => {
  const [keys, choose] = useState<ReadonlySet<string>>(new Set());
  const chosenRows = rows.filter((row) => keys.has(keyOf(row)));
  return { chosen: new Set(chosenRows.map(keyOf)), rows: chosenRows, choose };
};
