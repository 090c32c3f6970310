/** Shows buttons, fields, tabs and the dialog. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx';
import { Form } from '../input/form.tsx';
import { TimeField } from '../input/time-field.tsx';
import { Section } from '../page/section.tsx';
import { Tabs } from '../page/tabs.tsx';

const Buttons = ({ onDialog }: { readonly onDialog: () => void }) => {
  const say = useText();
  const [part, setPart] = useState<'first' | 'second'>('first');
  return (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', mb: 2 }}>
      <Button variant="contained">{say('gallery.main')}</Button>
      <Button variant="outlined">{say('gallery.other')}</Button>
      <Button variant="contained" color="error" onClick={onDialog}>
        {say('gallery.dangerous')}
      </Button>
      <Button>{say('gallery.quiet')}</Button>
      <Button variant="contained" disabled>
        {say('gallery.disabled')}
      </Button>
      <ToggleButtonGroup exclusive value={part} aria-label={say('gallery.tabs')}>
        {(['first', 'second'] as const).map((one) => (
          <ToggleButton key={one} value={one} onClick={() => setPart(one)}>
            {say(`gallery.${one}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
};

const Inputs = () => {
  const say = useText();
  const [day, setDay] = useState('2026-01-30');
  const [moment, setMoment] = useState('');
  return (
    <Form label={say('gallery.fields')} onSubmit={() => undefined}>
      <TextField label={say('gallery.name')} helperText={say('gallery.nameHelp')} />
      <TextField
        label={say('gallery.name')}
        defaultValue={say('gallery.arya')}
        error
        helperText={say('gallery.wrong')}
      />
      <TimeField kind="day" label={say('gallery.day')} help="" value={day} onChange={setDay} />
      <TimeField
        kind="moment"
        label={say('gallery.moment')}
        help=""
        value={moment}
        onChange={setMoment}
      />
      <Box>
        <FormControlLabel label={say('gallery.only')} control={<Checkbox defaultChecked />} />
        <FormControlLabel label={say('gallery.only')} control={<Switch defaultChecked />} />
      </Box>
    </Form>
  );
};

export const Fields = () => {
  const say = useText();
  const [asking, setAsking] = useState(false);
  const [part, setPart] = useState<'first' | 'second'>('first');
  return (
    <>
      <Section title={say('gallery.fields')}>
        <Buttons onDialog={() => setAsking(true)} />
        <Inputs />
      </Section>
      <Section title={say('gallery.tabs')}>
        <Tabs
          label={say('gallery.tabs')}
          tabs={(['first', 'second'] as const).map((value) => ({
            value,
            label: say(`gallery.${value}`),
          }))}
          chosen={part}
          onChoose={setPart}
        >
          <Typography sx={{ pt: 1.5 }}>{say('gallery.tabText')}</Typography>
        </Tabs>
      </Section>
      <ConfirmDialog
        open={asking}
        title={say('gallery.dialog')}
        text={say('gallery.dialogText')}
        confirm={say('gallery.dangerous')}
        danger
        reason="required"
        onConfirm={() => setAsking(false)}
        onClose={() => setAsking(false)}
      />
    </>
  );
};
