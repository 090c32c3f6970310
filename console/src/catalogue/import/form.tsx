/** Selects the file to import, its format, and whether products missing from it are removed. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Form } from '../../design/input/form.tsx';
import { useText } from '../../i18n/text.ts';
import { type FileFault, FileField, readFile } from '../../parts/file-field.tsx';
import { type Format, formats, type ImportRequest } from './lines.ts';

/** The gateway's limit. */
const mostBytes = 64 * 1024 * 1024;

const FormatField = ({
  format,
  busy,
  onChoose,
}: {
  readonly busy: boolean;
  readonly format: Format;
  readonly onChoose: (format: Format) => void;
}) => {
  const say = useText();
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>{say('catalogueImport.format')}</FormLabel>
      <RadioGroup row aria-labelledby={id} value={format}>
        {formats.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio disabled={busy} onChange={() => onChoose(one)} />}
            label={say(`catalogueImport.formats.${one}`)}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
};

export const RemoveField = ({
  label,
  warning,
  checked,
  busy,
  onChoose,
}: {
  readonly label: string;
  /** Shown once it is checked. */
  readonly warning: string;
  readonly busy: boolean;
  readonly checked: boolean;
  readonly onChoose: (checked: boolean) => void;
}) => (
  <Box>
    <FormControlLabel
      control={
        <Checkbox
          disabled={busy}
          checked={checked}
          onChange={({ target }) => onChoose(target.checked)}
        />
      }
      label={label}
    />
    {checked ? <Alert severity="warning">{warning}</Alert> : null}
  </Box>
);

export const ImportForm = ({
  busy,
  onChange,
  onShow,
}: {
  readonly busy: boolean;
  /** The preview no longer matches the options. */
  readonly onChange: () => void;
  readonly onShow: (request: ImportRequest, name: string) => void;
}) => {
  const say = useText();
  const [file, setFile] = useState<File>();
  const [format, setFormat] = useState<Format>('csv');
  const [removeMissing, setRemoveMissing] = useState(false);
  const [fault, setFault] = useState<FileFault>();
  const pick = (picked: File | undefined): void => {
    setFile(picked);
    setFault(undefined);
    if (picked !== undefined) setFormat(/\.json$/i.test(picked.name) ? 'json' : 'csv');
    onChange();
  };
  const show = async (): Promise<void> => {
    const read = await readFile(file, mostBytes);
    if (typeof read === 'string') setFault(read);
    else onShow({ file: read, format, removeMissing }, file?.name ?? '');
  };
  return (
    <Form onSubmit={() => void show()}>
      <Typography>{say('catalogueImport.text')}</Typography>
      <FileField
        file={file}
        accept=".csv,.json,text/csv,application/json"
        help={say(`catalogueImport.${fault ?? 'fileHelp'}`)}
        wrong={fault !== undefined}
        busy={busy}
        onPick={pick}
      />
      <FormatField
        format={format}
        busy={busy}
        onChoose={(chosen) => {
          setFormat(chosen);
          onChange();
        }}
      />
      <RemoveField
        label={say('catalogueImport.removeMissing')}
        warning={say('catalogueImport.removeWarning')}
        checked={removeMissing}
        busy={busy}
        onChoose={(checked) => {
          setRemoveMissing(checked);
          onChange();
        }}
      />
      <Button type="submit" variant="outlined" loading={busy} sx={{ justifySelf: 'start' }}>
        {say('catalogueImport.show')}
      </Button>
    </Form>
  );
};
