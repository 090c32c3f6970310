/** Edits a client's rules, and shows the changes before they are saved. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct, useReread } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { type Client, ofClient, type Rules } from './client.ts';
import { RuleFields } from './rule-fields.tsx';
import { type ChangedRule, changedRules, type Faults, readRules, typedOf } from './rules-typed.ts';
import { useOperatorNames } from './use-operator-names.ts';

const Changes = ({ changed }: { readonly changed: readonly ChangedRule[] }) => {
  const say = useText();
  return (
    <Table
      name={say('clientRules.saveText')}
      rows={changed}
      keyOf={({ name }) => name}
      columns={[
        { key: 'rule', wrap: true, label: say('clientRules.rule'), cell: ({ name }) => name },
        {
          key: 'before',
          wrap: true,
          label: say('clientRules.before'),
          cell: ({ before }) => before,
        },
        { key: 'after', wrap: true, label: say('clientRules.after'), cell: ({ after }) => after },
      ]}
    />
  );
};

const Save = ({
  client,
  wanted,
  changed,
  onSaved,
  onClose,
}: {
  /** The rules when editing began. */
  readonly client: Client;
  readonly wanted: Rules;
  readonly changed: readonly ChangedRule[];
  readonly onSaved: (client: Client) => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const reread = useReread();
  const save = useAct('setClientRules', { changes: ofClient });
  const onSuccess = (saved: Client): void => {
    done('clientRules.saved');
    onSaved(saved);
    onClose();
  };
  // Another person may have changed them: then the current ones can be shown.
  const onError = (): void => void reread(['getClient']);
  const body = { ...wanted, version: client.rules_version };
  return (
    <ConfirmDialog
      open
      title={say('clientRules.saveTitle', { name: client.name })}
      text={say('clientRules.saveText')}
      confirm={say('clientRules.saveSubmit')}
      busy={save.isPending}
      error={save.error}
      onConfirm={() =>
        save.mutate({ params: { client_id: client.id }, body }, { onSuccess, onError })
      }
      onClose={onClose}
    >
      <Changes changed={changed} />
    </ConfirmDialog>
  );
};

/** A field's error disappears when it is edited. */
const withoutAny = (faults: Faults, part: object): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => !(name in part)));

type Asked = { readonly wanted: Rules; readonly changed: readonly ChangedRule[] };

const RulesForm = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const format = useFormat();
  const may = useMay('clients');
  const nameOf = useOperatorNames();
  const [seen, setSeen] = useState(client);
  const { rules } = seen;
  const [typed, setTyped] = useState(() => typedOf(rules, format));
  const [faults, setFaults] = useState<Faults>({});
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [same, setSame] = useState(false);
  /** The current rules. */
  const reset = (): void => {
    setSeen(client);
    setTyped(typedOf(client.rules, format));
  };
  const review = (): void => {
    const wanted = readRules(say, typed);
    if ('faults' in wanted) {
      setFaults(wanted.faults);
      return;
    }
    setFaults({});
    const changed = changedRules(say, format, { before: rules, after: wanted, nameOf });
    setSame(changed.length === 0);
    if (changed.length > 0) setAsked({ wanted, changed });
  };
  return (
    <>
      <Form label={say('clientRules.title')} onSubmit={review}>
        <RuleFields
          typed={typed}
          faults={faults}
          locked={!may}
          change={(part) => {
            setSame(false);
            setFaults((before) => withoutAny(before, part));
            setTyped((before) => ({ ...before, ...part }));
          }}
        />
        {may ? (
          <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
            <Button type="submit" variant="contained">
              {say('clientRules.look')}
            </Button>
            <Button onClick={reset}>{say('clientRules.reset')}</Button>
          </Box>
        ) : null}
        <Typography role="status">{same ? say('clientRules.nothing') : ''}</Typography>
      </Form>
      {asked === undefined ? null : (
        <Save client={seen} {...asked} onSaved={setSeen} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
};

export const RulesPart = ({ client }: { readonly client: Client }) => {
  const say = useText();
  return (
    <Section title={say('clientRules.title')}>
      <Typography sx={{ mb: 2 }}>{say('clientRules.text')}</Typography>
      <RulesForm key={client.id} client={client} />
    </Section>
  );
};
