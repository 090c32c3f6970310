/** Imports a catalogue file: select, preview, apply. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { Page } from '../../design/page/page.tsx';
import { Section } from '../../design/page/section.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { useText } from '../../i18n/text.ts';
import { CatalogueNav, FocusOnMount } from '../parts.tsx';
import { catalogueReads } from '../sell.tsx';
import { Problems, useCountsText } from './diff.tsx';
import { ImportForm } from './form.tsx';
import {
  type Counts,
  type ImportRequest,
  type ImportPreview as Preview,
  type Progress,
  previewImport,
  runImport,
} from './lines.ts';
import { ImportPreview } from './preview.tsx';
import { ImportProgress } from './progress.tsx';

type Wanted = { readonly request: ImportRequest; readonly name: string; readonly isAgain: boolean };
type Order = { readonly request: ImportRequest; readonly digest: string };

const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'CATALOGUE_CHANGED';

const useImport = () => {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ phase: 'sending' });
  const preview = useMutation<Preview, unknown, Wanted>({
    mutationFn: ({ request }) => previewImport(request, setProgress),
  });
  const run = useMutation<Counts, unknown, Order>({
    mutationFn: ({ request, digest }) => runImport(request, digest, setProgress),
    // Also after a failure: an aborted import may have been applied.
    onSettled: async () => {
      await Promise.all(
        catalogueReads.map((key) => queries.invalidateQueries({ queryKey: [key] })),
      );
    },
  });
  const show = (wanted: Wanted): void => {
    run.reset();
    preview.mutate(wanted);
  };
  const apply = (): void => {
    const { variables: wanted, data } = preview;
    if (wanted === undefined || typeof data?.digest !== 'string' || run.isPending) return;
    run.mutate(
      { request: wanted.request, digest: data.digest },
      {
        onError: (error) => {
          if (isOutdated(error)) show({ ...wanted, isAgain: true });
        },
      },
    );
  };
  const forget = (): void => {
    if (preview.isIdle) return;
    preview.reset();
    run.reset();
  };
  return { progress, preview, run, show, apply, forget };
};

const Done = ({ counts, onMore }: { readonly counts: Counts; readonly onMore: () => void }) => {
  const say = useText();
  const countsText = useCountsText();
  return (
    <Section title={say('catalogueImport.done')}>
      <Alert severity="success" role="status" sx={{ mb: 2 }}>
        {countsText(counts)}
      </Alert>
      <Button component={Link} to="/catalogue">
        {say('catalogue.back')}
      </Button>
      <Button onClick={onMore}>{say('catalogueImport.more')}</Button>
    </Section>
  );
};

/** The preview, once it has loaded. */
const Shown = ({
  preview: { data, variables },
  busy,
  onApply,
}: {
  readonly preview: Pick<ReturnType<typeof useImport>['preview'], 'data' | 'variables'>;
  readonly busy: boolean;
  readonly onApply: () => void;
}) => {
  if (data === undefined || variables === undefined) return null;
  const { name, isAgain } = variables;
  return (
    <FocusOnMount>
      {data.digest === null ? (
        <Problems preview={data} />
      ) : (
        <ImportPreview preview={data} name={name} isAgain={isAgain} busy={busy} onApply={onApply} />
      )}
    </FocusOnMount>
  );
};

export const Import = () => {
  const say = useText();
  const { progress, preview, run, show, apply, forget } = useImport();
  const isOver = run.data !== undefined;
  const isBusy = preview.isPending || run.isPending;
  return (
    <Page title={say('catalogue.import')}>
      <CatalogueNav />
      {run.data === undefined ? (
        <Section title={say('catalogueImport.form')}>
          <ImportForm
            busy={isBusy}
            onChange={forget}
            onShow={(request, name) => show({ request, name, isAgain: false })}
          />
        </Section>
      ) : (
        <FocusOnMount>
          <Done counts={run.data} onMore={forget} />
        </FocusOnMount>
      )}
      {isBusy ? <ImportProgress progress={progress} /> : null}
      <ErrorState error={preview.error ?? run.error} />
      {isOver ? null : <Shown preview={preview} busy={run.isPending} onApply={apply} />}
    </Page>
  );
};
