/** Lists the keyboard shortcuts, and turns those of a single key off. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Key, modifier } from '../design/data/key.tsx';
import { Dialog } from '../design/dialog/dialog.tsx';
import { useText } from '../i18n/text.ts';
import { setPreferences, usePreferences } from '../preferences.ts';

export default function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const say = useText();
  const help = useId();
  const { singleKeys } = usePreferences();
  return (
    <Dialog
      title={say('shell.shortcuts')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{say('common.close')}</Button>}
    >
      <DescriptionList
        rows={[
          [say('shell.shortcutSearch'), <Key key="search" name={`${modifier} K`} />],
          ...(singleKeys
            ? [[say('shell.shortcutFilter'), <Key key="filter" name="/" />] as const]
            : []),
        ]}
      />
      <Box>
        <FormControlLabel
          label={say('shell.singleKeys')}
          control={
            <Switch
              checked={singleKeys}
              onChange={(_event, on) => setPreferences({ singleKeys: on })}
              slotProps={{ input: { 'aria-describedby': help } }}
            />
          }
        />
        <Typography id={help} variant="body2" color="textSecondary">
          {say('shell.singleKeysHelp')}
        </Typography>
      </Box>
    </Dialog>
  );
}
