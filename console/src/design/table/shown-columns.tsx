/** Lets the reader choose the columns of a table; the browser remembers them. */
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { ColumnsIcon } from '../icons.tsx';
import { type Column, titleOf } from './column.ts';

const storageKey = (list: string): string => `simgate.columns.${list}`;

/** The keys of hidden columns: a column that a later version adds is shown. */
const readHidden = (list: string, first: readonly string[]): ReadonlySet<string> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(list)) ?? 'null');
    return new Set(Array.isArray(stored) ? stored.map(String) : first);
  } catch {
    return new Set(first);
  }
};

const keepHidden = (list: string, hidden: ReadonlySet<string>): void => {
  try {
    localStorage.setItem(storageKey(list), JSON.stringify([...hidden]));
  } catch {
    // A browser without storage forgets it with the page.
  }
};

const ColumnsMenu = <Row,>({
  columns,
  hidden,
  onToggle,
}: {
  readonly columns: readonly Column<Row>[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}) => {
  const say = useText();
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const open = anchor !== null;
  return (
    <>
      <Tooltip title={say('common.columns')}>
        <IconButton
          aria-label={say('common.columns')}
          aria-haspopup="menu"
          aria-expanded={open}
          {...(open ? { 'aria-controls': id } : {})}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <ColumnsIcon />
        </IconButton>
      </Tooltip>
      <Menu id={id} anchorEl={anchor} open={open} onClose={() => setAnchor(null)}>
        {columns.map(({ key, label }) => (
          <MenuItem
            key={key}
            role="menuitemcheckbox"
            aria-checked={!hidden.has(key)}
            onClick={() => onToggle(key)}
          >
            <Checkbox
              checked={!hidden.has(key)}
              sx={{ p: 0, marginInlineEnd: 1, pointerEvents: 'none' }}
              slotProps={{ input: { tabIndex: -1, 'aria-hidden': true } }}
            />
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
};

/** Hidden columns that are kept elsewhere, such as in a saved view. */
export type ColumnChoice = {
  readonly hidden: readonly string[];
  readonly onChange: (hidden: readonly string[]) => void;
};

/** The columns to show, and the menu that chooses them. The title column always stays. */
export const useShownColumns = <Row,>(
  /** Names the list in the browser's storage. */
  list: string,
  columns: readonly Column<Row>[],
  /** Hidden until they are chosen. */
  firstHidden: readonly string[] = [],
  /** Replaces what the browser remembers for the list. */
  choice?: ColumnChoice,
): {
  readonly shown: readonly Column<Row>[];
  readonly hidden: readonly string[];
  readonly menu: ReactNode;
} => {
  const [remembered, setRemembered] = useState(() => readHidden(list, firstHidden));
  const hidden = choice === undefined ? remembered : new Set(choice.hidden);
  const title = titleOf(columns);
  const toggle = (key: string): void => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    if (choice !== undefined) {
      choice.onChange([...next]);
      return;
    }
    keepHidden(list, next);
    setRemembered(next);
  };
  return {
    shown: columns.filter((column) => column === title || !hidden.has(column.key)),
    hidden: [...hidden],
    menu: (
      <ColumnsMenu
        columns={columns.filter((column) => column !== title)}
        hidden={hidden}
        onToggle={toggle}
      />
    ),
  };
};
