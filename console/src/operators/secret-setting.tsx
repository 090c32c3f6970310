/** Sets, replaces or removes a secret without ever showing it. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Badge } from '../design/data/badge.tsx';
import { useText } from '../i18n/text.ts';
import { Description } from '../parts/description.tsx';
import { type Field, valueAt } from './fields.ts';
import {
  type Drawing,
  HelpOf,
  idOf,
  useConnectorText,
  useFault,
  useLabelOf,
} from './setting-help.tsx';

type Props = { readonly field: Field; readonly drawing: Drawing };

/** The state of a secret: its edit, whether it is set, and the sentence about it. */
const standing = ({ field, drawing }: Props) => {
  const typed = drawing.edits[field.path];
  const set = valueAt(drawing.settings, field.path) !== undefined;
  if (typed === undefined)
    return { typed, set, sentence: set ? 'secretSet' : 'secretNotSet' } as const;
  return { typed, set, sentence: typed === null ? 'secretRemoved' : 'secretReplaces' } as const;
};

const Actions = (props: Props) => {
  const say = useText();
  const { field, drawing } = props;
  const { typed, set } = standing(props);
  const name = useLabelOf()(field);
  const actionButton = (
    key: 'replace' | 'set' | 'remove' | 'keep',
    edit: string | null | undefined,
  ) => (
    <Button
      key={key}
      variant="outlined"
      size="small"
      aria-label={say(`operatorSettings.${key}Of`, { name })}
      onClick={() => {
        drawing.onEdit(field, edit);
        // The button disappears; the focus moves to the secret.
        setTimeout(() => document.getElementById(idOf(field.path))?.focus());
      }}
    >
      {say(`operatorSettings.${key}`)}
    </Button>
  );
  if (typed !== undefined) return actionButton('keep', undefined);
  return (
    <>
      {actionButton(set ? 'replace' : 'set', '')}
      {set && !field.required ? actionButton('remove', null) : null}
    </>
  );
};

export const SecretSetting = (props: Props) => {
  const say = useText();
  const id = useId();
  const { field, drawing } = props;
  const { typed, set, sentence } = standing(props);
  const fault = useFault(drawing)(field);
  const textOf = useConnectorText();
  const name = useLabelOf()(field);
  return (
    <Box role="group" aria-labelledby={id} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography id={id} sx={{ fontWeight: 600 }}>
        <Description {...textOf(field.label)} />
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Badge
          tone={set ? 'good' : 'plain'}
          label={say(set ? 'operatorSettings.isSet' : 'operatorSettings.notSet')}
        />
        <Actions {...props} />
      </Box>
      <Typography variant="body2" color="textSecondary">
        {say(`operatorSettings.${sentence}`)}
      </Typography>
      {typeof typed === 'string' ? (
        <TextField
          id={idOf(field.path)}
          label={say('operatorSettings.newOf', { name })}
          type={field.type === 'json' ? 'text' : 'password'}
          multiline={field.type === 'json'}
          value={typed}
          required
          error={fault !== ''}
          helperText={<HelpOf field={field} drawing={drawing} />}
          onChange={({ target }) => drawing.onEdit(field, target.value)}
          slotProps={{ htmlInput: { dir: 'ltr', autoComplete: 'new-password', spellCheck: false } }}
        />
      ) : (
        <Typography
          id={idOf(field.path)}
          tabIndex={-1}
          variant="body2"
          color={fault === '' ? 'textSecondary' : 'error'}
        >
          <HelpOf field={field} drawing={drawing} />
        </Typography>
      )}
    </Box>
  );
};
