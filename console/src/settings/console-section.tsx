/** Edits the console's settings: company name, low-balance threshold and time zone. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { readWhole, useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Form } from '../parts/form.tsx';
import { KeyValues } from '../parts/key-values.tsx';
import { Section } from '../parts/page.tsx';
import { useMay } from '../session.tsx';
import { isTimeZone } from '../writing.ts';
import type { ConsoleSettings } from './setting.ts';

/** Not every browser lists UTC, which is a new gateway's default. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

const ZoneField = ({
  value,
  wrong,
  onType,
}: {
  readonly value: string;
  readonly wrong: boolean;
  readonly onType: (typed: string) => void;
}) => {
  const say = useText();
  const { timeIn } = useFormat();
  const list = useId();
  const now = isTimeZone(value)
    ? say('settings.nowThere', { time: timeIn(value, Date.now()) })
    : '';
  return (
    <>
      <TextField
        label={say('settings.timeZone')}
        value={value}
        required
        error={wrong}
        helperText={wrong ? say('settings.noSuchZone') : `${say('settings.timeZoneHelp')} ${now}`}
        onChange={({ target }) => onType(target.value)}
        slotProps={{ htmlInput: { list, dir: 'ltr', spellCheck: false, autoComplete: 'off' } }}
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
};

type Typed = { readonly name?: string; readonly below?: string; readonly zone?: string };
type Wrong = { readonly below: boolean; readonly zone: boolean };

/** What the gateway rejects. */
const wrongIn = (error: unknown): Wrong => {
  const fields = error instanceof ApiError ? error.fields : {};
  return {
    below: fields['low_balance_below'] !== undefined,
    zone: fields['time_zone'] !== undefined,
  };
};

const ConsoleForm = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const done = useDone();
  const { count } = useFormat();
  const change = useAct('updateSettings', { changes: ['getSettings', 'listClients'] });
  const [typed, setTyped] = useState<Typed>({});
  const [wrong, setWrong] = useState<Wrong>({ below: false, zone: false });
  const type = (more: Typed): void => {
    setTyped((before) => ({ ...before, ...more }));
    setWrong(({ below: was, zone: other }) => ({
      below: was && more.below === undefined,
      zone: other && more.zone === undefined,
    }));
  };
  const {
    name = settings.company_name,
    below = count(settings.low_balance_below),
    zone = settings.time_zone,
  } = typed;
  const save = (): void => {
    const least = readWhole(below);
    const faults = { below: least === undefined || least < 0, zone: !isTimeZone(zone.trim()) };
    setWrong(faults);
    if (least === undefined || faults.below || faults.zone) return;
    change.mutate(
      { body: { company_name: name, low_balance_below: least, time_zone: zone.trim() } },
      {
        onSuccess: () => {
          setTyped({});
          done('settings.saved');
        },
        onError: (error) => setWrong(wrongIn(error)),
      },
    );
  };
  return (
    <Form onSubmit={save} label={say('settings.console')}>
      <TextField
        label={say('settings.company')}
        helperText={say('settings.companyHelp')}
        value={name}
        onChange={({ target }) => type({ name: target.value })}
        slotProps={{ htmlInput: { maxLength: 100, dir: 'auto', autoComplete: 'organization' } }}
      />
      <TextField
        label={say('settings.lowBelow')}
        helperText={say(wrong.below ? 'settings.notWhole' : 'settings.lowBelowHelp')}
        error={wrong.below}
        value={below}
        required
        onChange={({ target }) => type({ below: target.value })}
        slotProps={{ htmlInput: { inputMode: 'numeric', dir: 'ltr', autoComplete: 'off' } }}
      />
      <ZoneField value={zone} wrong={wrong.zone} onType={(text) => type({ zone: text })} />
      <ErrorNotice error={change.error} />
      <Box>
        <Button
          type="submit"
          variant="contained"
          loading={change.isPending}
          disabled={Object.keys(typed).length === 0}
        >
          {say('common.save')}
        </Button>
      </Box>
    </Form>
  );
};

const Shown = ({ settings }: { readonly settings: ConsoleSettings }) => {
  const say = useText();
  const { money } = useFormat();
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Typography>{say('settings.notYours')}</Typography>
      <KeyValues
        rows={[
          [
            say('settings.company'),
            settings.company_name === '' ? say('common.none') : settings.company_name,
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
