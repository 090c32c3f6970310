/** Changes many prices at once: describe, preview, confirm, and revert. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { useAct } from '../../api/hooks.ts';
import { Page } from '../../design/page/page.tsx';
import { Section } from '../../design/page/section.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { filtersIn, idsIn } from '../filters.ts';
import { Find } from '../find.tsx';
import { CatalogueNav, FocusOnMount } from '../parts.tsx';
import { catalogueReads } from '../sell.tsx';
import { PriceChanges } from './changes.tsx';
import { PricesForm } from './form.tsx';
import { PricesPreview } from './preview.tsx';
import type { PricesBody } from './price-update.ts';
import { Revert } from './revert.tsx';
import { PricesSummary } from './summary.tsx';

const isOutdated = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'CATALOGUE_CHANGED';

const usePrices = () => {
  const preview = useAct('previewPrices');
  const change = useAct('updatePrices', { changes: catalogueReads });
  const [body, setBody] = useState<PricesBody>();
  const [isAgain, setAgain] = useState(false);
  const show = (wanted: PricesBody, again = false): void => {
    setBody(wanted);
    setAgain(again);
    change.reset();
    preview.mutate({ body: wanted });
  };
  const apply = (): void => {
    if (body === undefined || preview.data === undefined || change.isPending) return;
    change.mutate(
      { body: { ...body, digest: preview.data.digest } },
      {
        onError: (error) => {
          if (isOutdated(error)) show(body, true);
        },
      },
    );
  };
  const forget = (): void => {
    if (preview.isIdle) return;
    preview.reset();
    change.reset();
  };
  return { preview, change, body, isAgain, show, apply, forget };
};

const Done = ({
  changed,
  changeId,
  onMore,
}: {
  readonly changed: number;
  readonly changeId: string | null;
  readonly onMore: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  return (
    <Section title={say('cataloguePrices.done')}>
      <Alert severity="success" role="status" sx={{ mb: 2 }}>
        {say('cataloguePrices.doneText', { count: count(changed) })}
      </Alert>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        <Button component={Link} to="/catalogue">
          {say('catalogue.back')}
        </Button>
        <Button onClick={onMore}>{say('cataloguePrices.more')}</Button>
        {changeId === null ? null : (
          <>
            <Button component={Link} to={`/catalogue/prices/${changeId}`}>
              {say('cataloguePrices.see')}
            </Button>
            <Revert id={changeId} />
          </>
        )}
      </Box>
    </Section>
  );
};

export const Prices = () => {
  const say = useText();
  const [address] = useSearchParams();
  const { preview, change, body, isAgain, show, apply, forget } = usePrices();
  const { data } = change;
  return (
    <Page title={say('catalogue.prices')}>
      <CatalogueNav />
      {data === undefined ? (
        <>
          <Section title={say('cataloguePrices.form')}>
            <Box sx={{ mb: 2 }}>
              <Find onFind={forget} />
            </Box>
            <PricesForm
              filters={filtersIn(address)}
              ids={idsIn(address)}
              busy={preview.isPending || change.isPending}
              onChange={forget}
              onShow={show}
            />
          </Section>
          <ErrorState error={preview.error} />
          {preview.data === undefined || body === undefined ? (
            <PriceChanges />
          ) : (
            <>
              <FocusOnMount>
                <PricesPreview preview={preview.data} isAgain={isAgain} />
              </FocusOnMount>
              <PricesSummary
                preview={preview.data}
                body={body}
                busy={change.isPending}
                error={change.error}
                onApply={apply}
              />
            </>
          )}
        </>
      ) : (
        <FocusOnMount>
          <Done changed={data.changed} changeId={data.change_id} onMore={forget} />
        </FocusOnMount>
      )}
    </Page>
  );
};
