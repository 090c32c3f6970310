/** Chooses the connector of an operator from those that the gateway has loaded. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useRead } from '../api/hooks.ts';
import { ErrorState } from '../design/states/error-state.tsx';
import { sizes } from '../design/theme/tokens.ts';
import { useText } from '../i18n/text.ts';
import { fieldsOf } from './fields.ts';
import type { Choice, Operator } from './operator.ts';

/** The operator as it would be with another connector: nothing of its settings goes along. */
export const withConnector = (operator: Operator, { name, schema }: Choice): Operator => ({
  ...operator,
  connector: name,
  schema,
  settings: Object.fromEntries(
    fieldsOf(schema).flatMap((field) =>
      field.secret || field.default === undefined ? [] : [[field.name, field.default]],
    ),
  ),
  faults: null,
});

export const ConnectorChoice = ({
  operator,
  value,
  onChoose,
}: {
  readonly operator: Operator;
  readonly value: string;
  readonly onChoose: (choice: Choice) => void;
}) => {
  const say = useText();
  const read = useRead('listOperatorConnectors', { params: { operator_id: String(operator.id) } });
  const choices = read.data?.data ?? [];
  // One that is in use and cannot be chosen again is shown all the same.
  const names = [...new Set([operator.connector, ...choices.map(({ name }) => name)])];
  return (
    <>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      <TextField
        select
        label={say('operators.connector')}
        helperText={say('operatorSettings.connectorHelp')}
        value={value}
        sx={{ maxWidth: sizes.field }}
        onChange={({ target }) => {
          const choice = choices.find(({ name }) => name === target.value);
          if (choice !== undefined) onChoose(choice);
        }}
      >
        {names.map((name) => (
          <MenuItem key={name} value={name} disabled={name === ''}>
            {name === '' ? say('operatorSettings.noConnector') : <bdi dir="ltr">{name}</bdi>}
          </MenuItem>
        ))}
      </TextField>
    </>
  );
};
