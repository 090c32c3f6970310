/** Edits the currency: its code, and in each language its name and how it is written, with a preview. */
import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type Currency, codes, currencyOf, isCode, isComplete } from '../currency.ts';
import { fonts } from '../design/theme/tokens.ts';
import { formatFor } from '../format.ts';
import { useText } from '../i18n/text.ts';

const filterOptions = createFilterOptions<string>({ limit: 30 });
const example = 1_500_000;

type Locale = keyof Currency['names'];

const CodeField = ({
  code,
  wrong,
  onType,
}: {
  readonly code: string;
  readonly wrong: boolean;
  readonly onType: (code: string) => void;
}) => {
  const say = useText();
  const isWrong = wrong || (code !== '' && !isCode(code));
  return (
    <Autocomplete<string, false, true, true>
      freeSolo
      disableClearable
      options={[...codes]}
      filterOptions={filterOptions}
      inputValue={code}
      onInputChange={(_event, text, why) => {
        if (why !== 'reset' || text !== '') onType(text.trim().toUpperCase());
      }}
      renderInput={(given) => (
        <TextField
          {...given}
          label={say('settings.currency')}
          error={isWrong}
          helperText={say(isWrong ? 'settings.currencyWrong' : 'settings.currencyHelp')}
          slotProps={{
            ...given.slotProps,
            htmlInput: {
              ...given.slotProps.htmlInput,
              dir: 'ltr',
              spellCheck: false,
              maxLength: 8,
            },
          }}
        />
      )}
    />
  );
};

/** The name, the symbol and its position, in one language. */
const LanguageFields = ({
  locale,
  currency,
  onChange,
}: {
  readonly locale: Locale;
  readonly currency: Currency;
  readonly onChange: (currency: Currency) => void;
}) => {
  const say = useText();
  const language = say(`settings.in_${locale}`);
  const { names, written } = currency;
  const { symbol, position } = written[locale];
  const write = (more: Partial<Currency['written'][Locale]>): void =>
    onChange({ ...currency, written: { ...written, [locale]: { ...written[locale], ...more } } });
  const writing = {
    dir: locale === 'fa' ? 'rtl' : 'ltr',
    autoComplete: 'off',
    style: { fontFamily: fonts[locale] },
  };
  return (
    <Box
      role="group"
      aria-label={language}
      sx={{
        display: 'grid',
        columnGap: 1,
        rowGap: 2,
        gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr 1fr' },
      }}
    >
      <TextField
        label={say('settings.currencyName', { language })}
        value={names[locale]}
        required
        onChange={({ target }) =>
          onChange({ ...currency, names: { ...names, [locale]: target.value } })
        }
        slotProps={{ htmlInput: { ...writing, maxLength: 40 } }}
      />
      <TextField
        label={say('settings.symbol', { language })}
        value={symbol}
        required
        onChange={({ target }) => write({ symbol: target.value })}
        slotProps={{ htmlInput: { ...writing, maxLength: 20 } }}
      />
      <TextField
        select
        label={say('settings.position', { language })}
        value={position}
        onChange={({ target }) =>
          write({ position: target.value === 'before' ? 'before' : 'after' })
        }
      >
        {(['before', 'after'] as const).map((where) => (
          <MenuItem key={where} value={where}>
            {say(`settings.${where}`)}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
};

const Preview = ({ currency }: { readonly currency: Currency }) => {
  const say = useText();
  const shown = (locale: Locale): string => formatFor(locale, undefined, currency).money(example);
  return (
    <Typography component="p" aria-live="polite">
      {say('settings.preview')}{' '}
      <bdi dir="ltr" lang="en">
        {shown('en')}
      </bdi>
      {' · '}
      <Box component="bdi" dir="rtl" lang="fa" sx={{ fontFamily: fonts.fa }}>
        {shown('fa')}
      </Box>
    </Typography>
  );
};

/** What is typed: a currency may be incomplete, and an empty code means none. */
export const CurrencyFields = ({
  currency,
  stored,
  wrong,
  onChange,
}: {
  readonly currency: Currency | null;
  /** The currency in force: its names and symbols are kept when its code is typed again. */
  readonly stored: Currency | null;
  readonly wrong: boolean;
  readonly onChange: (currency: Currency | null) => void;
}) => {
  // A new code brings its usual names; they can be changed then.
  const takeCode = (code: string): void => {
    if (code === (currency?.code ?? '')) return;
    if (code === '') onChange(null);
    else onChange(code === stored?.code ? stored : currencyOf(code));
  };
  return (
    <>
      <CodeField code={currency?.code ?? ''} wrong={wrong} onType={takeCode} />
      {currency === null ? null : (
        <>
          <LanguageFields locale="en" currency={currency} onChange={onChange} />
          <LanguageFields locale="fa" currency={currency} onChange={onChange} />
        </>
      )}
      {currency !== null && isComplete(currency) ? <Preview currency={currency} /> : null}
    </>
  );
};
