/** Sets the faults that a simulated operator injects. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { type TextKey, useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { changed, type Operator } from './operator.ts';
import {
  anyOn,
  type FaultName,
  type Faults,
  faultNames,
  isRate,
  rates,
  readFault,
  typedOf,
} from './rates.ts';

type Typed = Readonly<Partial<Record<FaultName, string>>>;

const FaultField = ({
  name,
  value,
  wrong,
  onType,
}: {
  readonly name: FaultName;
  readonly value: string;
  readonly wrong: boolean;
  readonly onType: (typed: string) => void;
}) => {
  const say = useText();
  const rate = isRate(name);
  const fault = rate ? 'operatorSettings.faults.notPercent' : 'operatorSettings.faults.notMs';
  const bounds = rate ? 'operatorSettings.faults.percent' : 'operatorSettings.faults.ms';
  return (
    <TextField
      label={say(`operatorSettings.faults.${name}`)}
      value={value}
      error={wrong}
      helperText={`${say(`operatorSettings.faults.${name}Text`)} ${say(wrong ? fault : bounds)}`}
      onChange={({ target }) => onType(target.value)}
      slotProps={{
        htmlInput: { dir: 'ltr', inputMode: rate ? 'decimal' : 'numeric', autoComplete: 'off' },
        input: rate
          ? {
              endAdornment: (
                <InputAdornment position="end">{say('common.percentSign')}</InputAdornment>
              ),
            }
          : {},
      }}
    />
  );
};

/** For roles that may only view them. */
const Shown = ({ faults }: { readonly faults: Faults }) => {
  const say = useText();
  const { percent, duration } = useFormat();
  return (
    <DescriptionList
      rows={faultNames.map((name) => [
        say(`operatorSettings.faults.${name}`),
        isRate(name) ? percent(faults[name], 4) : duration(faults[name]),
      ])}
    />
  );
};

const FaultsForm = ({
  operator,
  faults,
}: {
  readonly operator: Operator;
  readonly faults: Faults;
}) => {
  const say = useText();
  const done = useDone();
  const change = useAct('updateOperatorFaults', changed);
  const [typed, setTyped] = useState<Typed>({});
  const [wrong, setWrong] = useState<readonly FaultName[]>([]);
  const { decimal } = useFormat();
  const shown = (name: FaultName): string => typed[name] ?? decimal(typedOf(name, faults[name]));
  const send = (body: Partial<Faults>, said: TextKey): void =>
    change.mutate(
      { params: { operator_id: String(operator.id) }, body },
      {
        onSuccess: () => {
          setTyped({});
          done(said);
        },
      },
    );
  const save = (): void => {
    const read = faultNames.map((name) => [name, readFault(name, shown(name))] as const);
    const bad = read.filter(([, value]) => value === undefined).map(([name]) => name);
    setWrong(bad);
    if (bad.length === 0) send(Object.fromEntries(read), 'operatorSettings.faults.saved');
  };
  const off = (): void => {
    setWrong([]);
    const none = Object.fromEntries(rates.map((name) => [name, 0]));
    send({ ...faults, ...none }, 'operatorSettings.faults.offDone');
  };
  return (
    <Form onSubmit={save} label={say('operatorSettings.faults.title')}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {faultNames.map((name) => (
          <FaultField
            key={name}
            name={name}
            value={shown(name)}
            wrong={wrong.includes(name)}
            onType={(text) => setTyped((before) => ({ ...before, [name]: text }))}
          />
        ))}
      </Box>
      <Typography variant="body2" color="textSecondary">
        {say('operatorSettings.faults.stored')}
      </Typography>
      <ErrorState error={change.error} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button type="submit" variant="contained" loading={change.isPending}>
          {say('operatorSettings.faults.save')}
        </Button>
        <Button variant="outlined" disabled={change.isPending || !anyOn(faults)} onClick={off}>
          {say('operatorSettings.faults.off')}
        </Button>
      </Box>
    </Form>
  );
};

export const FaultsSection = (props: { readonly operator: Operator; readonly faults: Faults }) => {
  const say = useText();
  const may = useMay('settings');
  const on = anyOn(props.faults);
  return (
    <Section title={say('operatorSettings.faults.title')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Typography>{say('operatorSettings.faults.text')}</Typography>
        <Box role="status">
          <Badge
            tone={on ? 'attention' : 'plain'}
            label={say(on ? 'operatorSettings.faults.some' : 'operatorSettings.faults.none')}
          />
        </Box>
        {may ? <FaultsForm {...props} /> : <Shown faults={props.faults} />}
      </Box>
    </Section>
  );
};
