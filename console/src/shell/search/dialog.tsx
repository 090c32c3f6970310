/** Searches everything as the user types; the arrow keys choose a result, and Enter opens it. */
import Box from '@mui/material/Box';
import MuiDialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchIcon } from '../../design/icons.tsx';
import { radii, sizes } from '../../design/theme/tokens.ts';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Result, type ResultGroup, useResults } from './results.ts';

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowDown: (place, last) => (place >= last ? 0 : place + 1),
  ArrowUp: (place, last) => (place <= 0 ? last : place - 1),
};

const Option = ({
  id,
  result,
  isActive,
  onPoint,
  onChoose,
}: {
  readonly id: string;
  readonly result: Result;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) => {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { name, detail } = result;
  return (
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 1.5,
        alignItems: 'center',
        justifyContent: 'space-between',
        minHeight: { xs: sizes.finger, md: sizes.row },
        p: '4px 10px',
        borderRadius: `${radii.field}px`,
        cursor: 'pointer',
        typography: 'body2',
        '&[aria-selected="true"]': { bgcolor: 'action.selected' },
      }}
    >
      <bdi>{name}</bdi>
      {detail === undefined ? null : (
        <Typography component="span" variant="caption" color="textSecondary">
          {detail}
        </Typography>
      )}
    </Box>
  );
};

type ListProps = {
  readonly id: string;
  readonly groups: readonly ResultGroup[];
  readonly active: Result | undefined;
  readonly onPoint: (result: Result) => void;
  readonly onChoose: (result: Result) => void;
};

const idOf = (list: string, { key }: Result): string => `${list}-${key}`;

const List = ({ id, groups, active, onPoint, onChoose }: ListProps) => {
  const say = useText();
  return (
    <Box
      role="listbox"
      id={id}
      aria-label={say('search.title')}
      sx={{ overflowY: 'auto', maxHeight: '55vh', p: groups.length === 0 ? 0 : 1 }}
    >
      {groups.map(({ name, results }) => (
        <Box key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <Typography
            id={`${id}-${name}`}
            variant="caption"
            component="p"
            color="textSecondary"
            sx={{ p: '8px 10px 4px', fontWeight: 550 }}
          >
            {say(`search.${name}`)}
          </Typography>
          {results.map((result) => (
            <Option
              key={result.key}
              id={idOf(id, result)}
              result={result}
              isActive={result === active}
              onPoint={() => onPoint(result)}
              onChoose={() => onChoose(result)}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
};

/** What was found, for screen readers and where nothing was. */
const Outcome = ({
  count,
  isSearching,
}: {
  readonly count: number;
  readonly isSearching: boolean;
}) => {
  const say = useText();
  const format = useFormat();
  const words =
    count === 0 ? say('search.none') : say('search.found', { count: format.count(count) });
  return (
    <Typography
      role="status"
      variant="caption"
      component="p"
      color="textSecondary"
      sx={{ p: '8px 16px', borderTop: 1, borderColor: 'divider' }}
    >
      {isSearching ? say('search.searching') : words} {say('search.help')}
    </Typography>
  );
};

/** What is typed and chosen; the first result is chosen until the user moves. */
const useChoice = (open: (result: Result) => void) => {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const { groups, isSearching } = useResults(typed);
  const all = groups.flatMap(({ results }) => results);
  const active = all.find(({ key }) => key === chosen) ?? all[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (active === undefined) return;
    if (move !== undefined) {
      event.preventDefault();
      setChosen(all[move(all.indexOf(active), all.length - 1)]?.key);
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      open(active);
    }
  };
  const type = (text: string): void => {
    setTyped(text);
    setChosen(undefined);
  };
  return { typed, type, groups, isSearching, active, count: all.length, setChosen, onKeyDown };
};

const field = { dir: 'auto', maxLength: 100, spellCheck: false, autoComplete: 'off' } as const;

export default function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const say = useText();
  const navigate = useNavigate();
  const id = useId();
  const open = ({ to }: Result): void => {
    onClose();
    void navigate(to);
  };
  const { typed, type, groups, isSearching, active, count, setChosen, onKeyDown } = useChoice(open);
  return (
    <MuiDialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      slotProps={{
        paper: { 'aria-label': say('search.title') },
        container: { sx: { alignItems: { xs: 'stretch', sm: 'flex-start' }, pt: { sm: '10vh' } } },
      }}
    >
      <InputBase
        autoFocus
        fullWidth
        value={typed}
        placeholder={say('search.placeholder')}
        startAdornment={<SearchIcon sx={{ fontSize: 18, color: 'text.secondary' }} />}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
        sx={{ p: '10px 16px', gap: 1, borderBottom: 1, borderColor: 'divider' }}
        inputProps={{
          ...field,
          role: 'combobox',
          'aria-label': say('search.title'),
          'aria-expanded': count > 0,
          'aria-controls': id,
          'aria-autocomplete': 'list',
          ...(active === undefined ? {} : { 'aria-activedescendant': idOf(id, active) }),
          enterKeyHint: 'go',
        }}
      />
      <List
        id={id}
        groups={groups}
        active={active}
        onPoint={({ key }) => setChosen(key)}
        onChoose={open}
      />
      <Outcome count={count} isSearching={isSearching} />
    </MuiDialog>
  );
}
