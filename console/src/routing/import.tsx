/** Imports a file of routes: select, preview, apply. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError, type Given } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { Problems, useCountsText } from '../catalogue/import/diff.tsx';
import { RemoveField } from '../catalogue/import/form.tsx';
import { FocusOnMount } from '../catalogue/parts.tsx';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Form } from '../design/input/form.tsx';
import { Page } from '../design/page/page.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { type FileFault, FileField, readFile } from '../parts/file-field.tsx';
import { DiffTable, type Preview } from './diff.tsx';
import { routeReads } from './switch.tsx';

type RoutesFile = Given<'previewRouteImport'>['body'];

/** The gateway's limit. */
const mostBytes = 8 * 1024 * 1024;

/** How many routes are new, changed, removed and unchanged, in one line. */
const useCounts = () => {
  const countsText = useCountsText();
  return ({ added, changed, ...rest }: Omit<Preview, 'problems' | 'diff' | 'version'>) =>
    countsText({ ...rest, created: added, updated: changed });
};

const ImportForm = ({
  busy,
  onChange,
  onShow,
}: {
  readonly busy: boolean;
  /** The preview no longer matches the options. */
  readonly onChange: () => void;
  readonly onShow: (file: RoutesFile) => void;
}) => {
  const say = useText();
  const [file, setFile] = useState<File>();
  const [removes, setRemoves] = useState(false);
  const [fault, setFault] = useState<FileFault>();
  const show = async (): Promise<void> => {
    const read = await readFile(file, mostBytes);
    if (typeof read === 'string') setFault(read);
    else onShow({ csv: await read.text(), remove_missing: removes });
  };
  const help = fault === 'tooLarge' ? 'routing.import.tooLarge' : 'routing.import.fileHelp';
  const isOwn = fault === undefined || fault === 'tooLarge';
  return (
    <Form label={say('routing.import.title')} onSubmit={() => void show()}>
      <Typography>{say('routing.import.text')}</Typography>
      <FileField
        file={file}
        accept=".csv,text/csv"
        help={say(isOwn ? help : `catalogueImport.${fault}`)}
        wrong={fault !== undefined}
        busy={busy}
        onPick={(picked) => {
          setFile(picked);
          setFault(undefined);
          onChange();
        }}
      />
      <RemoveField
        label={say('routing.import.removeMissing')}
        warning={say('routing.import.removeWarning')}
        checked={removes}
        busy={busy}
        onChoose={(checked) => {
          setRemoves(checked);
          onChange();
        }}
      />
      <Button type="submit" variant="outlined" loading={busy} sx={{ justifySelf: 'start' }}>
        {say('catalogueImport.show')}
      </Button>
    </Form>
  );
};

const Shown = ({
  preview,
  isAgain,
  busy,
  onApply,
}: {
  readonly preview: Preview;
  /** Whether it replaces an outdated one. */
  readonly isAgain: boolean;
  readonly busy: boolean;
  readonly onApply: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const countsText = useCounts()(preview);
  const [asked, setAsked] = useState(false);
  const { diff, removed } = preview;
  return (
    <Section title={say('catalogueImport.preview')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {isAgain ? <Alert severity="warning">{say('routing.import.again')}</Alert> : null}
        <Typography role="status">
          {say(diff.length === 0 ? 'routing.import.same' : 'catalogueImport.previewText')}{' '}
          {countsText}
        </Typography>
        {diff.length === 0 ? null : (
          <>
            <Button
              variant="contained"
              loading={busy}
              sx={{ justifySelf: 'start' }}
              onClick={() => setAsked(true)}
            >
              {say('routing.import.apply')}
            </Button>
            <DiffTable diff={diff} />
          </>
        )}
      </Box>
      <ConfirmDialog
        open={asked}
        danger={removed > 0}
        title={say('routing.import.title')}
        text={`${countsText} ${say('routing.import.applyText')}`}
        confirm={say('routing.import.apply')}
        onConfirm={() => {
          setAsked(false);
          onApply();
        }}
        onClose={() => setAsked(false)}
      >
        {removed === 0 ? null : (
          <Alert severity="warning">
            {say('routing.import.applyRemoves', { count: count(removed) })}
          </Alert>
        )}
      </ConfirmDialog>
    </Section>
  );
};

const useImport = () => {
  const preview = useAct('previewRouteImport');
  const run = useAct('importRoutes', { changes: routeReads });
  const [isAgain, setAgain] = useState(false);
  const show = (file: RoutesFile, again: boolean): void => {
    run.reset();
    setAgain(again);
    preview.mutate({ body: file });
  };
  const apply = (): void => {
    const { data, variables } = preview;
    if (data === undefined || variables === undefined || run.isPending) return;
    const { body } = variables;
    run.mutate(
      { body: { ...body, version: data.version } },
      {
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'ROUTES_CHANGED') show(body, true);
        },
      },
    );
  };
  const forget = (): void => {
    preview.reset();
    run.reset();
  };
  return { preview, run, isAgain, show, apply, forget };
};

export const ImportRoutes = () => {
  const say = useText();
  const countsText = useCounts();
  const { preview, run, isAgain, show, apply, forget } = useImport();
  const { data: found } = preview;
  return (
    <Page
      title={say('routing.import.title')}
      crumbs={[{ label: say('pages.routes'), to: '/routes' }]}
    >
      {run.data === undefined ? (
        <Section title={say('catalogueImport.form')}>
          <ImportForm
            busy={preview.isPending || run.isPending}
            onChange={forget}
            onShow={(file) => show(file, false)}
          />
        </Section>
      ) : (
        <FocusOnMount>
          <Section title={say('catalogueImport.done')}>
            <Alert severity="success" role="status" sx={{ mb: 2 }}>
              {countsText(run.data)}
            </Alert>
            <Button component={Link} to="/routes">
              {say('routing.import.back')}
            </Button>
            <Button onClick={forget}>{say('catalogueImport.more')}</Button>
          </Section>
        </FocusOnMount>
      )}
      <ErrorState error={preview.error ?? run.error} />
      {found === undefined || run.data !== undefined ? null : (
        <FocusOnMount>
          {found.problems.length > 0 ? (
            <Problems
              preview={{ problems: found.problems, problem_count: found.problems.length }}
            />
          ) : (
            <Shown preview={found} isAgain={isAgain} busy={run.isPending} onApply={apply} />
          )}
        </FocusOnMount>
      )}
    </Page>
  );
};
