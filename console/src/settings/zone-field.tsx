/** Chooses a time zone: suggests the names that the browser knows, and shows the time there. */
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { isTimeZone } from '../writing.ts';

/** Not every browser lists UTC, which is a new gateway's default. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

// More than anyone reads; rendering all of them is slow.
const filterOptions = createFilterOptions<string>({ limit: 30 });

export const ZoneField = ({
  value,
  wrong,
  since,
  onType,
}: {
  readonly value: string;
  readonly wrong: boolean;
  /** When it was changed; null if never. */
  readonly since: string | null;
  readonly onType: (typed: string) => void;
}) => {
  const say = useText();
  const { timeIn, time } = useFormat();
  const help = [
    say('settings.timeZoneHelp'),
    ...(isTimeZone(value) ? [say('settings.nowThere', { time: timeIn(value, Date.now()) })] : []),
    ...(since === null ? [] : [say('settings.zoneSince', { time: time(since, 'short') })]),
  ];
  return (
    <Autocomplete<string, false, true, true>
      freeSolo
      disableClearable
      options={zones}
      filterOptions={filterOptions}
      inputValue={value}
      onInputChange={(_event, text, why) => {
        if (why !== 'reset' || text !== '') onType(text);
      }}
      renderInput={(given) => (
        <TextField
          {...given}
          label={say('settings.timeZone')}
          required
          error={wrong}
          helperText={wrong ? say('settings.noSuchZone') : help.join(' ')}
          slotProps={{
            ...given.slotProps,
            htmlInput: { ...given.slotProps.htmlInput, dir: 'ltr', spellCheck: false },
          }}
        />
      )}
    />
  );
};
