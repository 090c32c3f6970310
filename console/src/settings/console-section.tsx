/** Edits the console's settings: company name, currency, time zone and low-balance threshold. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Form } from '../design/input/form.tsx';
import { useUnit } from '../design/input/unit.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { CurrencyFields } from './currency-fields.tsx';
import { useSettingsDraft } from './draft.ts';
import type { ConsoleSettings } from './setting.ts';
import { ZoneField } from './zone-field.tsx';

const ConsoleForm = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const unit = useUnit();
  const { fields, wrong, error, isSaving, isTyped, type, save } = useSettingsDraft(settings);
  const { name, below, zone, currency } = fields;
  return (
    <Form onSubmit={save} label={say('settings.console')}>
      <TextField
        label={say('settings.company')}
        helperText={say('settings.companyHelp')}
        value={name}
        onChange={({ target }) => type({ name: target.value })}
        slotProps={{ htmlInput: { maxLength: 100, dir: 'auto', autoComplete: 'organization' } }}
      />
      <CurrencyFields
        currency={currency}
        stored={settings.currency}
        wrong={wrong.currency}
        onChange={(chosen) => type({ currency: chosen })}
      />
      <ZoneField
        value={zone}
        wrong={wrong.zone}
        since={settings.time_zone_since}
        onType={(text) => {
          if (text !== zone) type({ zone: text });
        }}
      />
      <TextField
        label={say('settings.lowBelow')}
        helperText={say(wrong.below ? 'settings.notWhole' : 'settings.lowBelowHelp')}
        error={wrong.below}
        value={below}
        required
        onChange={({ target }) => type({ below: target.value })}
        slotProps={{
          input: unit,
          htmlInput: { inputMode: 'numeric', dir: 'ltr', autoComplete: 'off' },
        }}
      />
      <ErrorState error={error} />
      <Box>
        <Button type="submit" variant="contained" loading={isSaving} disabled={!isTyped}>
          {say('common.save')}
        </Button>
      </Box>
    </Form>
  );
};

const Shown = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const { money, locale } = useFormat();
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Typography>{say('settings.notYours')}</Typography>
      <DescriptionList
        rows={[
          [
            say('settings.company'),
            settings.company_name === '' ? say('common.none') : settings.company_name,
          ],
          [
            say('settings.currency'),
            settings.currency === null
              ? say('common.none')
              : say('settings.currencyShown', {
                  name: settings.currency.names[locale],
                  example: money(1_500_000),
                }),
          ],
          [say('settings.lowBelow'), money(settings.low_balance_below)],
          [
            say('settings.timeZone'),
            <bdi key="zone" dir="ltr">
              {settings.time_zone}
            </bdi>,
          ],
        ]}
      />
    </Box>
  );
};

export const ConsoleSection = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const may = useMay('settings');
  return (
    <Section title={say('settings.console')}>
      {may ? <ConsoleForm settings={settings} /> : <Shown settings={settings} />}
    </Section>
  );
};
