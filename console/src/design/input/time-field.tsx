/** Renders a date or time field: the browser's own, or one for the Persian calendar. */
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { type Kind, readPersian, stepPersian, writePersian } from '../../persian-calendar.ts';
import { fromField } from '../../zoned.ts';
import { CalendarIcon } from '../more-icons.tsx';
import { Loading } from '../states/loading.tsx';

type Props = {
  readonly kind: Kind;
  readonly label: string;
  readonly help: string;
  /** In the format of a browser's own field, in its time zone; empty if there is none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const BrowserField = ({ kind, label, help, value, onChange }: Props) => (
  <TextField
    label={label}
    type={kind === 'day' ? 'date' : 'datetime-local'}
    value={value}
    helperText={help}
    onChange={({ target }) => onChange(target.value)}
    slotProps={{ inputLabel: { shrink: true }, htmlInput: { dir: 'ltr' } }}
  />
);

const examples: Readonly<Record<Kind, string>> = { day: '۱۴۰۵/۰۱/۲۵', moment: '۱۴۰۵/۰۱/۲۵ ۱۳:۴۵' };

/** The text below the field: the error, the time in words, or the format. */
const useHelp = ({ kind, help, value }: Props, wrong: boolean): string => {
  const say = useText();
  const { time, zone } = useFormat();
  const example = examples[kind];
  if (wrong) return say('times.wrong', { example });
  if (value === '') return `${help} ${say('times.such', { example })}`;
  return `${time(fromField(value, zone), kind === 'day' ? 'date' : 'short')}. ${help}`;
};

const Calendar = lazy(() => import('./persian-day-picker.tsx'));

/** Opens the calendar beside the field; a chosen day keeps the time that the field has. */
const CalendarButton = ({ kind, label, value, onChange }: Omit<Props, 'help'>) => {
  const say = useText();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const choose = (day: string): void => {
    setAnchor(null);
    const [, time = '00:00'] = value.split('T');
    onChange(kind === 'day' ? day : `${day}T${time}`);
  };
  return (
    <InputAdornment position="end">
      <IconButton
        edge="end"
        aria-label={say('times.calendar')}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <CalendarIcon />
      </IconButton>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        // The arrow keys of the calendar are not those of the field.
        onKeyDown={(event) => event.stopPropagation()}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { 'aria-label': label, role: 'dialog', sx: { p: 1.5, mt: 0.5 } } }}
      >
        <Suspense fallback={<Loading />}>
          <Calendar value={value} onChoose={choose} />
        </Suspense>
      </Popover>
    </InputAdornment>
  );
};

const PersianField = (props: Props) => {
  const { kind, label, value, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  // The typed text stays as long as it means that value.
  const [typed, setTyped] = useState({ text: writePersian(value, kind), value });
  const [marked, setMarked] = useState<readonly [from: number, to: number]>();
  const text = typed.value === value ? typed.text : writePersian(value, kind);
  const wrong = value === '' && text.trim() !== '';
  const help = useHelp(props, wrong);
  const type = (next: string): void => {
    const read = readPersian(next, kind) ?? '';
    setTyped({ text: next, value: read });
    onChange(read);
  };
  const step = (event: KeyboardEvent, by: 1 | -1): void => {
    const caret = input.current?.selectionStart ?? text.length;
    const stepped = stepPersian(text, kind, { caret, by });
    if (stepped === undefined) return;
    event.preventDefault();
    type(stepped.typed);
    setMarked([stepped.from, stepped.to]);
  };
  useEffect(() => input.current?.setCustomValidity(wrong ? help : ''), [wrong, help]);
  useLayoutEffect(() => {
    if (marked !== undefined) input.current?.setSelectionRange(...marked);
  }, [marked]);
  return (
    <TextField
      label={label}
      value={text}
      error={wrong}
      helperText={help}
      onChange={({ target }) => type(target.value)}
      onBlur={() => value !== '' && setTyped({ text: writePersian(value, kind), value })}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp') step(event, 1);
        if (event.key === 'ArrowDown') step(event, -1);
      }}
      inputRef={input}
      slotProps={{
        inputLabel: { shrink: true },
        input: { endAdornment: <CalendarButton {...props} /> },
        htmlInput: { dir: 'ltr', autoComplete: 'off', spellCheck: false },
      }}
    />
  );
};

export const TimeField = (props: Props) =>
  useFormat().locale === 'fa' ? <PersianField {...props} /> : <BrowserField {...props} />;
