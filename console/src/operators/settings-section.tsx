/** Edits an operator's settings in the form its connector describes, or resets them to the configuration file. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useAct } from '../api/hooks.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Form } from '../design/input/form.tsx';
import { Section } from '../design/page/section.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { ConnectorChoice, withConnector } from './connector-choice.tsx';
import { changesOf, type Edits, edited, type Problem, wantedOf } from './draft.ts';
import { Setting } from './field.tsx';
import { type Field, fieldsOf, leavesOf, valueAt } from './fields.ts';
import { useFrom } from './health.tsx';
import { type Choice, changed, type Operator } from './operator.ts';
import { Review } from './review.tsx';
import { idOf, useLabelOf, useWords } from './setting-help.tsx';

/** Settings with their own section are not rendered here, and are sent unchanged. */
const ownSections = ['faults'];

const drawnOf = ({ schema, faults }: Operator): readonly Field[] =>
  fieldsOf(schema).filter(({ name }) => faults === null || !ownSections.includes(name));

const keptOf = ({ settings, faults }: Operator) =>
  Object.fromEntries(
    ownSections.flatMap((name) =>
      faults === null || settings[name] === undefined ? [] : [[name, settings[name]]],
    ),
  );

/** The edits, on top of the settings at the start of editing. */
const useTyped = (operator: Operator) => {
  const [seen, setSeen] = useState<Operator | undefined>(undefined);
  const [edits, setEdits] = useState<Edits>({});
  const base = seen ?? operator;
  return {
    base,
    edits,
    edit: (field: Field, typed: string | null | undefined): void => {
      setSeen(base);
      setEdits((before) => edited(before, field, typed, base.settings));
    },
    discard: (): void => {
      setSeen(undefined);
      setEdits({});
    },
    /** Keeps the edits, on top of newer settings. */
    rebase: (now: Operator): void => setSeen(now),
  };
};

type Said = Readonly<Record<string, readonly string[]>>;

/** Errors about settings without a field here. */
const otherwise = (fields: readonly Field[], said: Said): readonly string[] => {
  const drawn = new Set(leavesOf(fields).map(({ path }) => path));
  return Object.entries(said).flatMap(([path, sentences]) => (drawn.has(path) ? [] : sentences));
};

const reenterProblems = (fields: Said): Readonly<Record<string, Problem>> =>
  Object.fromEntries(Object.keys(fields).map((path) => [path, 'enterAnew']));

const focusFirst = (fields: readonly Field[], wrong: Readonly<Record<string, unknown>>): void => {
  const first = leavesOf(fields).find(({ path }) => wrong[path] !== undefined);
  // After the errors are rendered, and a dialog has returned the focus.
  if (first !== undefined)
    setTimeout(() => document.getElementById(idOf(first.path))?.focus(), 100);
};

type Props = {
  readonly operator: Operator;
  /** Reads the operator again. */
  readonly refresh: () => Promise<Operator>;
};

type FormProps = Props & {
  /** The connector in use, where another was chosen. */
  readonly chosenOver: string | undefined;
  /** Ends the choice. */
  readonly onDone: () => void;
};

const Buttons = ({
  isTyped,
  onDiscard,
}: {
  readonly isTyped: boolean;
  readonly onDiscard: () => void;
}) => {
  const say = useText();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <Button type="submit" variant="contained" disabled={!isTyped}>
        {say('operatorSettings.review')}
      </Button>
      {isTyped ? (
        <Button onClick={onDiscard}>{say('operatorSettings.discard')}</Button>
      ) : (
        <Typography color="textSecondary">{say('operatorSettings.same')}</Typography>
      )}
    </Box>
  );
};

const SettingsForm = ({ operator, refresh, chosenOver, onDone }: FormProps) => {
  const say = useText();
  const { base, edits, edit, discard, rebase } = useTyped(operator);
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({});
  const [said, setSaid] = useState<Said>({});
  const [reviewing, setReviewing] = useState(false);
  const fields = drawnOf(base);
  const wanted = wantedOf(fields, base.settings, edits);
  const changes = changesOf(fields, base.settings, edits);
  const isChosen = chosenOver !== undefined;
  const isTyped = isChosen || Object.keys(edits).length > 0;
  const wrong = Object.keys(problems).length > 0 || Object.keys(said).length > 0;
  const forgive = (): void => {
    setProblems({});
    setSaid({});
  };
  const startOver = (): void => {
    forgive();
    setReviewing(false);
    discard();
    onDone();
  };
  const type = (field: Field, typed: string | null | undefined): void => {
    setProblems(({ [field.path]: _wrong, ...others }) => others);
    setSaid(({ [field.path]: _wrong, ...others }) => others);
    edit(field, typed);
  };
  const { settings } = base;
  const drawing = { settings, edits, problems, said, onEdit: type };
  const review = (): void => {
    setSaid({});
    setProblems(wanted.problems);
    focusFirst(fields, wanted.problems);
    const isChange = isChosen || changes.length > 0;
    setReviewing(Object.keys(wanted.problems).length === 0 && isChange);
  };
  return (
    <Form onSubmit={review} label={say('operatorSettings.title')}>
      {fields.map((field) => (
        <Setting key={field.path} field={field} drawing={drawing} />
      ))}
      {wrong ? (
        <Alert severity="error" variant="outlined">
          {[say('operatorSettings.wrong'), ...otherwise(fields, said)].join(' ')}
        </Alert>
      ) : null}
      <Buttons isTyped={isTyped} onDiscard={startOver} />
      {reviewing ? (
        <Review
          operator={base}
          settings={{ ...keptOf(base), ...wanted.settings }}
          changes={changes}
          chosenOver={chosenOver}
          onSaved={startOver}
          onWrong={(error) => {
            setReviewing(false);
            if (error.code === 'SECRETS_NEEDED') setProblems(reenterProblems(error.fields));
            else setSaid(error.fields);
            focusFirst(fields, error.fields);
          }}
          onTakeOver={async () => rebase(await refresh())}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </Form>
  );
};

/** For roles that may only view them. */
const Shown = ({ operator: { schema, settings } }: { readonly operator: Operator }) => {
  const say = useText();
  const words = useWords();
  const labelOf = useLabelOf();
  const shown = ({ path, secret }: Field): string => {
    const value = valueAt(settings, path);
    return secret && value !== undefined ? say('operatorSettings.isSet') : words(value);
  };
  return (
    <DescriptionList
      rows={leavesOf(fieldsOf(schema)).map((field) => [
        labelOf(field),
        <bdi key={field.path}>{shown(field)}</bdi>,
      ])}
    />
  );
};

const ToFile = ({ operator: { id } }: { readonly operator: Operator }) => {
  const say = useText();
  const done = useDone();
  const remove = useAct('removeOperatorSettings', changed);
  const [asked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const onSuccess = (): void => {
    done('operatorSettings.toFileDone');
    close();
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>{say('operatorSettings.toFile')}</Button>
      <ConfirmDialog
        open={asked}
        danger
        title={say('operatorSettings.toFileTitle')}
        text={say('operatorSettings.toFileText')}
        confirm={say('operatorSettings.toFile')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { operator_id: String(id) } }, { onSuccess })}
        onClose={close}
      />
    </>
  );
};

/** The form of the connector in use, or of another that was chosen. */
const Changing = ({ operator, refresh }: Props) => {
  const say = useText();
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  const isOther = choice !== undefined && choice.name !== operator.connector;
  const shown = isOther ? withConnector(operator, choice) : operator;
  const other = (now: Operator): Operator => (isOther ? withConnector(now, choice) : now);
  return (
    <>
      <ConnectorChoice operator={operator} value={shown.connector} onChoose={setChoice} />
      {!isOther && drawnOf(operator).length === 0 ? (
        <Typography>{say('operatorSettings.nothing')}</Typography>
      ) : (
        <SettingsForm
          key={shown.connector}
          operator={shown}
          refresh={async () => other(await refresh())}
          chosenOver={isOther ? operator.connector : undefined}
          onDone={() => setChoice(undefined)}
        />
      )}
    </>
  );
};

export const SettingsSection = ({ operator, refresh }: Props) => {
  const say = useText();
  const from = useFrom();
  const may = useMay('settings');
  const isOurs =
    operator.defined_in === 'file' &&
    (operator.settings_from === 'console' || operator.settings_problem !== null);
  return (
    <Section
      title={say('operatorSettings.title')}
      actions={may && isOurs ? <ToFile operator={operator} /> : undefined}
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Typography>
          {say('operatorSettings.from', { from: from(operator) })}{' '}
          {say(may ? 'operatorSettings.intro' : 'operatorSettings.notYours')}
        </Typography>
        {may ? (
          <Changing operator={operator} refresh={refresh} />
        ) : drawnOf(operator).length === 0 ? (
          <Typography>{say('operatorSettings.nothing')}</Typography>
        ) : (
          <Shown operator={operator} />
        )}
      </Box>
    </Section>
  );
};
