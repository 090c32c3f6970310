/** Lists the notes about a client, newest first, and adds one. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct, useRead } from '../api/hooks.ts';
import { newKey } from '../api/key.ts';
import { usePaging } from '../api/paging.ts';
import { Timeline } from '../design/data/timeline.tsx';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { Empty } from '../design/states/empty.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { Pager } from '../design/table/pager.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import type { Client } from './client.ts';

type Of = { readonly client: Client };

const NewNote = ({ client: { id } }: Of) => {
  const say = useText();
  const done = useDone();
  const add = useAct('addClientNote', { changes: ['listClientNotes'] });
  const [note, setNote] = useState('');
  const [key, setKey] = useState(newKey);
  const onSuccess = (): void => {
    setNote('');
    setKey(newKey());
    done('clientContact.added');
  };
  return (
    <Form
      label={say('clientContact.note')}
      onSubmit={() =>
        add.mutate({ params: { client_id: id }, body: { note: note.trim(), key } }, { onSuccess })
      }
    >
      <TextField
        label={say('clientContact.note')}
        value={note}
        multiline
        minRows={2}
        required
        onChange={({ target }) => {
          setNote(target.value);
          // Another text is another note.
          setKey(newKey());
        }}
        slotProps={{ htmlInput: { maxLength: 2000, dir: 'auto' } }}
      />
      <ErrorState error={add.error} />
      <Button
        type="submit"
        variant="outlined"
        loading={add.isPending}
        disabled={note.trim() === ''}
        sx={{ justifySelf: 'start' }}
      >
        {say('clientContact.add')}
      </Button>
    </Form>
  );
};

export const Notes = ({ client }: Of) => {
  const say = useText();
  const { time } = useFormat();
  const may = useMay('clients');
  const { query, pagingOf } = usePaging();
  const read = useRead('listClientNotes', { params: { client_id: client.id }, query });
  const notes = read.data?.data ?? [];
  return (
    <Section title={say('clientContact.notes')}>
      <Typography sx={{ mb: 2 }}>{say('clientContact.notesText')}</Typography>
      <Box sx={{ display: 'grid', gap: 2.5, minWidth: 0 }}>
        {may ? <NewNote client={client} /> : null}
        <ErrorState error={read.error} retry={() => void read.refetch()} />
        {read.isPending ? <Loading /> : null}
        {read.data && notes.length === 0 ? <Empty text={say('clientContact.noNotes')} /> : null}
        <Timeline
          entries={notes.map(({ id, at, author, note }) => ({
            key: id,
            title: author,
            time: time(at, 'short'),
            detail: (
              <Box component="bdi" sx={{ whiteSpace: 'pre-line', color: 'text.primary' }}>
                {note}
              </Box>
            ),
          }))}
        />
        <Pager paging={pagingOf(read)} />
      </Box>
    </Section>
  );
};
