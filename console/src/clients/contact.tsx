/** Shows whom to contact at a client, who is billed, and the notes about it, and changes them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/client.ts';
import { useAct, useRead } from '../api/hooks.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import type { Client } from './client.ts';
import { Notes } from './notes.tsx';

type Of = { readonly client: Client };
type Contact = Answer<'getClientContact'>;

const fields = ['name', 'email', 'phone', 'about', 'legal_name', 'tax_number', 'address'] as const;

/** A masked number leads nowhere. */
const linkOf = (field: (typeof fields)[number], value: string): ReactNode => {
  if (value.includes('*') || (field !== 'email' && field !== 'phone')) {
    return <bdi>{value}</bdi>;
  }
  const href = field === 'email' ? `mailto:${value}` : `tel:${value.replaceAll(/[^\d+]/g, '')}`;
  return (
    <Link href={href} dir="ltr">
      {value}
    </Link>
  );
};

/** What is known, in a few lines. */
export const ContactFacts = ({ client: { id } }: Of) => {
  const say = useText();
  const read = useRead('getClientContact', { params: { client_id: id } });
  const contact = read.data ?? undefined;
  const known = fields.filter((field) => (contact?.[field] ?? '') !== '');
  return (
    <>
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {contact !== undefined && known.length === 0 ? (
        <Typography color="textSecondary">{say('clientContact.none')}</Typography>
      ) : null}
      {contact === undefined ? null : (
        <DescriptionList
          rows={known.map((field) => [
            say(`clientContact.${field}`),
            <Box key={field} component="span" sx={{ whiteSpace: 'pre-line' }}>
              {linkOf(field, contact[field])}
            </Box>,
          ])}
        />
      )}
    </>
  );
};

const inputs = {
  name: { maxLength: 255, autoComplete: 'off', dir: 'auto' },
  email: { maxLength: 254, autoComplete: 'off', dir: 'ltr', inputMode: 'email' },
  phone: { maxLength: 40, autoComplete: 'off', dir: 'ltr', inputMode: 'tel' },
  about: { maxLength: 2000, dir: 'auto' },
  legal_name: { maxLength: 255, autoComplete: 'off', dir: 'auto' },
  tax_number: { maxLength: 60, autoComplete: 'off', dir: 'ltr' },
  address: { maxLength: 500, dir: 'auto' },
} as const;

/** Fields of several lines, or with a hint. */
const extras = (say: ReturnType<typeof useText>) => ({
  about: { multiline: true, minRows: 2, helperText: say('clientContact.aboutHelp') },
  legal_name: { helperText: say('clientContact.legalNameHelp') },
  address: { multiline: true, minRows: 2, helperText: say('clientContact.addressHelp') },
});

const Edit = ({
  client: { id, name },
  contact,
  onClose,
}: Of & { readonly contact: Contact; readonly onClose: () => void }) => {
  const say = useText();
  const done = useDone();
  const save = useAct('setClientContact', { changes: ['getClientContact'] });
  const [typed, setTyped] = useState(contact);
  const extra: Partial<Record<(typeof fields)[number], object>> = extras(say);
  const onSuccess = (): void => {
    done('clientContact.saved');
    onClose();
  };
  return (
    <ConfirmDialog
      open
      title={say('clientContact.editTitle', { name })}
      text={say('clientContact.editText')}
      confirm={say('common.save')}
      busy={save.isPending}
      error={save.error}
      onConfirm={() => save.mutate({ params: { client_id: id }, body: typed }, { onSuccess })}
      onClose={onClose}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          label={say(`clientContact.${field}`)}
          value={typed[field]}
          onChange={({ target }) => setTyped((before) => ({ ...before, [field]: target.value }))}
          {...extra[field]}
          slotProps={{ htmlInput: inputs[field] }}
        />
      ))}
    </ConfirmDialog>
  );
};

export const ContactPart = ({ client }: Of) => {
  const say = useText();
  const may = useMay('clients');
  const { data, isPending } = useRead('getClientContact', { params: { client_id: client.id } });
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Section
        title={say('clientContact.title')}
        actions={
          may && data ? (
            <Button variant="outlined" onClick={() => setEditing(true)}>
              {say('clientContact.edit')}
            </Button>
          ) : undefined
        }
      >
        <ContactFacts client={client} />
      </Section>
      {/* The contact above would move them. */}
      {isPending ? null : <Notes client={client} />}
      {editing && data ? (
        <Edit client={client} contact={data} onClose={() => setEditing(false)} />
      ) : null}
    </>
  );
};
