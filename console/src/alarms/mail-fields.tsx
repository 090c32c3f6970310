/** Edits the mail server of alarms and its recipients. */
import FormControlLabel from '@mui/material/FormControlLabel';
import MenuItem from '@mui/material/MenuItem';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useText } from '../i18n/text.ts';
import type { Fields, Language, Security } from './draft.ts';

const securities = ['starttls', 'tls', 'none'] as const satisfies readonly Security[];
const languages = ['fa', 'en'] as const satisfies readonly Language[];

const ltr = { dir: 'ltr', spellCheck: false, autoCapitalize: 'none', autoComplete: 'off' } as const;

type FieldsProps = {
  readonly fields: Fields;
  readonly wrongPort: boolean;
  readonly hasPassword: boolean;
  readonly type: (more: Partial<Fields>) => void;
};

const ServerFields = ({ fields, wrongPort, hasPassword, type }: FieldsProps) => {
  const say = useText();
  return (
    <>
      <TextField
        label={say('alarms.host')}
        value={fields.host}
        required
        onChange={({ target }) => type({ host: target.value })}
        slotProps={{ htmlInput: ltr }}
      />
      <TextField
        select
        label={say('alarms.security')}
        value={fields.security}
        onChange={({ target }) =>
          type({ security: securities.find((one) => one === target.value) ?? 'starttls' })
        }
      >
        {securities.map((one) => (
          <MenuItem key={one} value={one}>
            {say(`alarms.securities.${one}`)}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        label={say('alarms.port')}
        value={fields.port}
        required
        error={wrongPort}
        helperText={wrongPort ? say('alarms.notPositive') : undefined}
        onChange={({ target }) => type({ port: target.value })}
        slotProps={{ htmlInput: { ...ltr, inputMode: 'numeric' } }}
      />
      <TextField
        label={say('alarms.user')}
        helperText={say('alarms.userHelp')}
        value={fields.user}
        onChange={({ target }) => type({ user: target.value })}
        slotProps={{ htmlInput: ltr }}
      />
      <TextField
        label={say('alarms.password')}
        helperText={hasPassword ? say('alarms.passwordKept') : undefined}
        type="password"
        value={fields.password}
        onChange={({ target }) => type({ password: target.value })}
        slotProps={{ htmlInput: { ...ltr, autoComplete: 'new-password' } }}
      />
    </>
  );
};

export const MailFields = (props: FieldsProps) => {
  const say = useText();
  const { fields, type } = props;
  return (
    <>
      <FormControlLabel
        label={say('alarms.mailOn')}
        control={<Switch checked={fields.mailOn} onChange={(_event, mailOn) => type({ mailOn })} />}
      />
      {fields.mailOn ? (
        <>
          <ServerFields {...props} />
          <TextField
            label={say('alarms.from')}
            value={fields.from}
            required
            onChange={({ target }) => type({ from: target.value })}
            slotProps={{ htmlInput: ltr }}
          />
          <TextField
            label={say('alarms.to')}
            helperText={say('alarms.toHelp')}
            value={fields.to}
            required
            multiline
            minRows={2}
            maxRows={6}
            onChange={({ target }) => type({ to: target.value })}
            slotProps={{ htmlInput: ltr }}
          />
          <TextField
            select
            label={say('alarms.language')}
            value={fields.language}
            onChange={({ target }) =>
              type({ language: languages.find((one) => one === target.value) ?? 'en' })
            }
          >
            {languages.map((one) => (
              <MenuItem key={one} value={one}>
                {say(`alarms.languages.${one}`)}
              </MenuItem>
            ))}
          </TextField>
        </>
      ) : null}
    </>
  );
};
