/** Edits what invoices say: the seller, the tax, and whose months are billed. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { toLatinDigits } from '../writing.ts';
import type { ConsoleSettings } from './setting.ts';

type Terms = ConsoleSettings['invoices'];

const calendars = ['gregorian', 'persian'] as const satisfies readonly Terms['calendar'][];

const percentIn = (typed: string): string =>
  toLatinDigits(typed.trim()).replace('٫', '.').replace(/[%٪]$/, '').trim();

const isPercent = (text: string): boolean => /^\d{1,2}(\.\d{1,4})?$/.test(text);

const useTerms = (stored: Terms) => {
  const { decimal } = useFormat();
  const done = useDone();
  const change = useAct('updateSettings', { changes: ['getSettings', 'listBilledMonths'] });
  const [typed, setTyped] = useState<Partial<Terms>>({});
  const [isTried, setTried] = useState(false);
  const terms = { ...stored, tax_percent: decimal(stored.tax_percent), ...typed };
  const tax = percentIn(terms.tax_percent);
  return {
    terms,
    wrongTax: isTried && !isPercent(tax),
    isTyped: Object.keys(typed).length > 0,
    isSaving: change.isPending,
    error: change.error,
    type: (more: Partial<Terms>) => setTyped((before) => ({ ...before, ...more })),
    save: (): void => {
      setTried(true);
      if (!isPercent(tax)) return;
      change.mutate(
        { body: { invoices: { ...terms, tax_percent: tax } } },
        {
          onSuccess: () => {
            setTyped({});
            done('settings.saved');
          },
        },
      );
    },
  };
};

const TermsForm = ({ stored }: { readonly stored: Terms }) => {
  const say = useText();
  const { terms, wrongTax, isTyped, isSaving, error, type, save } = useTerms(stored);
  const text = { autoComplete: 'off', dir: 'auto' } as const;
  return (
    <Form onSubmit={save} label={say('invoices.settings')}>
      <TextField
        label={say('invoices.sellerName')}
        helperText={say('invoices.sellerNameHelp')}
        value={terms.seller_name}
        onChange={({ target }) => type({ seller_name: target.value })}
        slotProps={{ htmlInput: { ...text, maxLength: 200 } }}
      />
      <TextField
        label={say('invoices.sellerNumber')}
        value={terms.seller_number}
        onChange={({ target }) => type({ seller_number: target.value })}
        slotProps={{ htmlInput: { ...text, maxLength: 50 } }}
      />
      <TextField
        multiline
        label={say('invoices.sellerAddress')}
        value={terms.seller_address}
        onChange={({ target }) => type({ seller_address: target.value })}
        slotProps={{ htmlInput: { ...text, maxLength: 500 } }}
      />
      <TextField
        label={say('invoices.taxPercent')}
        helperText={say(wrongTax ? 'invoices.taxWrong' : 'invoices.taxHelp')}
        error={wrongTax}
        value={terms.tax_percent}
        onChange={({ target }) => type({ tax_percent: target.value })}
        slotProps={{ htmlInput: { inputMode: 'decimal', dir: 'ltr', autoComplete: 'off' } }}
      />
      <TextField
        select
        label={say('invoices.calendar')}
        value={terms.calendar}
        onChange={({ target }) => {
          const calendar = calendars.find((one) => one === target.value);
          if (calendar !== undefined) type({ calendar });
        }}
      >
        {calendars.map((calendar) => (
          <MenuItem key={calendar} value={calendar}>
            {say(`invoices.calendars.${calendar}`)}
          </MenuItem>
        ))}
      </TextField>
      <ErrorState error={error} />
      <Box>
        <Button type="submit" variant="contained" loading={isSaving} disabled={!isTyped}>
          {say('common.save')}
        </Button>
      </Box>
    </Form>
  );
};

/** Those who may not change it read it on each invoice. */
export const InvoiceSection = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const may = useMay('settings');
  if (!may) return null;
  return (
    <Section title={say('invoices.settings')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Typography>{say('invoices.settingsText')}</Typography>
        <TermsForm stored={settings.invoices} />
      </Box>
    </Section>
  );
};
