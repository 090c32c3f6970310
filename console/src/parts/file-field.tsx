/** Chooses a file from this machine, and reads it once it is needed. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import { useId, useRef } from 'react';
import { Code } from '../design/data/code.tsx';
import { useText } from '../i18n/text.ts';

export type FileFault = 'noFile' | 'tooLarge' | 'unreadable';

/** The browser's own field speaks the language of the browser, which may be another. */
export const FileField = ({
  file,
  accept,
  help,
  wrong,
  busy,
  onPick,
}: {
  readonly file: File | undefined;
  readonly accept: string;
  /** The file's format and size, or what is wrong with it. */
  readonly help: string;
  readonly wrong: boolean;
  readonly busy: boolean;
  readonly onPick: (file: File | undefined) => void;
}) => {
  const say = useText();
  const [nameId, helpId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  return (
    <FormControl error={wrong}>
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
        accept={accept}
        onChange={({ target }) => onPick(target.files?.[0])}
      />
      <FormHelperText id={helpId}>{help}</FormHelperText>
    </FormControl>
  );
};

/** Kept in memory: what is done is what was shown, even if the file changes. */
export const readFile = async (
  file: File | undefined,
  mostBytes: number,
): Promise<Blob | FileFault> => {
  if (file === undefined) return 'noFile';
  if (file.size > mostBytes) return 'tooLarge';
  try {
    return new Blob([await file.arrayBuffer()]);
  } catch {
    return 'unreadable';
  }
};
