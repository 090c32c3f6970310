/** Selects the file to import, its format, and whether products missing from it are removed. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { Code } from '../../design/data/code.tsx';
import { Form } from '../../design/input/form.tsx';
import { useText } from '../../i18n/text.ts';
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

const RemoveField = ({
  checked,
  busy,
  onChoose,
}: {
  readonly busy: boolean;
  readonly checked: boolean;
  readonly onChoose: (checked: boolean) => void;
}) => {
  const say = useText();
  return (
    <Box>
      <FormControlLabel
        control={
          <Checkbox
            disabled={busy}
            checked={checked}
            onChange={({ target }) => onChoose(target.checked)}
          />
        }
        label={say('catalogueImport.removeMissing')}
      />
      {checked ? <Alert severity="warning">{say('catalogueImport.removeWarning')}</Alert> : null}
    </Box>
  );
};

type Fault = 'noFile' | 'tooLarge' | 'unreadable';

/** The browser's own field speaks the language of the browser, which may be another. */
const FileField = ({
  file,
  fault,
  busy,
  onPick,
}: {
  readonly file: File | undefined;
  readonly fault: Fault | undefined;
  readonly busy: boolean;
  readonly onPick: (file: File | undefined) => void;
}) => {
  const say = useText();
  const [nameId, helpId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  return (
    <FormControl error={fault !== undefined}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        <Button
          variant="outlined"
          disabled={busy}
          aria-describedby={`${nameId} ${helpId}`}
          onClick={() => input.current?.click()}
        >
          {say('catalogueImport.choose')}
        </Button>
        <span id={nameId}>
          {file === undefined ? say('catalogueImport.none') : <Code>{file.name}</Code>}
        </span>
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={say('catalogueImport.file')}
        disabled={busy}
        accept=".csv,.json,text/csv,application/json"
        onChange={({ target }) => onPick(target.files?.[0])}
      />
      <FormHelperText id={helpId}>{say(`catalogueImport.${fault ?? 'fileHelp'}`)}</FormHelperText>
    </FormControl>
  );
};

/** Kept in memory: the import applies what was shown, even if the file changes. */
const readFile = async (file: File | undefined): Promise<Blob | Fault> => {
  if (file === undefined) return 'noFile';
  if (file.size > mostBytes) return 'tooLarge';
  try {
    return new Blob([await file.arrayBuffer()]);
  } catch {
    return 'unreadable';
  }
};

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
  const [fault, setFault] = useState<Fault>();
  const pick = (picked: File | undefined): void => {
    setFile(picked);
    setFault(undefined);
    if (picked !== undefined) setFormat(/\.json$/i.test(picked.name) ? 'json' : 'csv');
    onChange();
  };
  const show = async (): Promise<void> => {
    const read = await readFile(file);
    if (typeof read === 'string') setFault(read);
    else onShow({ file: read, format, removeMissing }, file?.name ?? '');
  };
  return (
    <Form onSubmit={() => void show()}>
      <Typography>{say('catalogueImport.text')}</Typography>
      <FileField file={file} fault={fault} busy={busy} onPick={pick} />
      <FormatField
        format={format}
        busy={busy}
        onChoose={(chosen) => {
          setFormat(chosen);
          onChange();
        }}
      />
      <RemoveField
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
