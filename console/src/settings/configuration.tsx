/** Lists the running configuration: each value and where it was set. */
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { type Column, Table } from '../design/table/table.tsx';
import { fonts } from '../design/theme/tokens.ts';
import { useFormat } from '../format.ts';
import { useDescribe } from '../i18n/descriptions.ts';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import { isNothing, matches, type Setting, written } from './setting.ts';

const origins = {
  default: 'settings.fromDefault',
  file: 'settings.fromFile',
  environment: 'settings.fromEnvironment',
} as const;

const Value = ({ setting }: { readonly setting: Setting }) => {
  const say = useText();
  const { value, from, default: standard } = setting;
  const code = { fontFamily: fonts.code, overflowWrap: 'anywhere' } as const;
  return (
    <>
      {isNothing(value) ? (
        say('settings.empty')
      ) : (
        <Box component="bdi" dir="ltr" sx={code}>
          {written(value)}
        </Box>
      )}
      {from === 'default' || isNothing(standard) ? null : (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {say('settings.standard', { value: `\u2066${written(standard)}\u2069` })}
        </Typography>
      )}
    </>
  );
};

const useColumns = (): readonly Column<Setting>[] => {
  const say = useText();
  const describe = useDescribe();
  return [
    {
      key: 'name',
      wrap: true,
      label: say('settings.name'),
      cell: ({ name }) => (
        <Box component="bdi" dir="ltr" sx={{ fontFamily: fonts.code, overflowWrap: 'anywhere' }}>
          {name}
        </Box>
      ),
    },
    {
      key: 'value',
      wrap: true,
      label: say('settings.value'),
      cell: (setting) => <Value setting={setting} />,
    },
    { key: 'from', label: say('settings.from'), cell: ({ from }) => say(origins[from]) },
    {
      key: 'description',
      wrap: true,
      label: say('settings.description'),
      cell: (setting) => <Description {...describe(setting)} />,
    },
  ];
};

export const Configuration = ({ config }: { readonly config: readonly Setting[] }) => {
  const say = useText();
  const { count } = useFormat();
  const [wanted, setWanted] = useState('');
  const [withDefaults, setWithDefaults] = useState(false);
  const columns = useColumns();
  const describe = useDescribe();
  // Who looks for a setting means any of them.
  const isAny = withDefaults || wanted !== '';
  const rows = config.filter(
    (setting) =>
      (isAny || setting.from !== 'default') &&
      matches(wanted, { ...setting, description: describe(setting).text }),
  );
  return (
    <Section title={say('settings.running')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Typography>{say('settings.runningText')}</Typography>
        <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
          <TextField
            label={say('settings.find')}
            type="search"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
            sx={{ flex: '1 1 14rem', maxWidth: 440 }}
            slotProps={{ htmlInput: { spellCheck: false } }}
          />
          <FormControlLabel
            label={say('settings.withDefaults')}
            control={
              <Checkbox
                checked={withDefaults}
                onChange={(_event, checked) => setWithDefaults(checked)}
              />
            }
          />
          <Typography role="status" color="textSecondary">
            {say('settings.found', { shown: count(rows.length), all: count(config.length) })}
          </Typography>
        </Box>
        {rows.length === 0 ? (
          <Empty text={say(isAny ? 'settings.noneFound' : 'settings.noneSet')} />
        ) : (
          <Table
            name={say('settings.running')}
            columns={columns}
            rows={rows}
            keyOf={({ name }) => name}
          />
        )}
      </Box>
    </Section>
  );
};
