/** Downloads a file with a button that shows progress and errors. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { fetchFile, type Given, type OperationId } from '../api/client.ts';
import { DownloadIcon } from '../design/icons.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';

// By then every browser has begun to write it.
const keptMs = 60_000;

/** Passes a file to the browser as a download. */
const keep = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
};

/** Fetched by the page, and not by a link: errors can be shown, and the query is in no address. */
export const Download = <Id extends OperationId>({
  id,
  given,
  name,
  text,
  help,
}: {
  readonly id: Id;
  readonly given: Given<Id>;
  /** The file name. */
  readonly name: string;
  readonly text: string;
  readonly help?: string;
}) => {
  const say = useText();
  const fetching = useMutation<Blob, unknown, Given<Id>>({
    mutationFn: (wanted) => fetchFile(id, wanted),
    onSuccess: (file) => keep(file, name),
  });
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Button
        variant="outlined"
        startIcon={<DownloadIcon />}
        disabled={fetching.isPending}
        onClick={() => fetching.mutate(given)}
        {...(help === undefined ? {} : { title: help })}
      >
        {fetching.isPending ? say('common.downloading') : text}
      </Button>
      <ErrorState error={fetching.error} />
    </Box>
  );
};
