/** Shows one invoice, prints it, exports it, and makes credit notes for it. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../api/hooks.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { Page } from '../design/page/page.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { useMay } from '../session.tsx';
import { CreditInvoice } from './credit.tsx';
import { InvoiceDocument } from './document.tsx';
import type { Invoice } from './format.ts';

const Actions = ({
  invoice: { number, creditable },
  onCredit,
}: {
  readonly invoice: Invoice;
  readonly onCredit: () => void;
}) => {
  const say = useText();
  const may = useMay('money');
  return (
    <>
      <HistoryLink subject={`invoice ${number}`} />
      {may && creditable > 0 ? (
        <Button variant="outlined" onClick={onCredit}>
          {say('invoices.credit')}
        </Button>
      ) : null}
      <Download
        id="exportInvoice"
        given={{ params: { number: String(number) } }}
        name={`invoice-${number}.csv`}
        text={say('invoices.export')}
      />
      <Button variant="contained" onClick={() => window.print()}>
        {say('invoices.print')}
      </Button>
    </>
  );
};

export const OneInvoice = () => {
  const say = useText();
  const { digits } = useFormat();
  const { number = '' } = useParams();
  const [isCrediting, setCrediting] = useState(false);
  const read = useRead('getInvoice', { params: { number } });
  const invoice = read.data ?? undefined;
  return (
    <Page
      title={say('invoices.title', { number: digits(number) })}
      crumbs={[{ label: say('pages.invoices'), to: '/invoices' }]}
      {...(invoice === undefined
        ? {}
        : { actions: <Actions invoice={invoice} onCredit={() => setCrediting(true)} /> })}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.isPending ? <Loading shape="page" /> : null}
      {invoice === undefined ? null : <InvoiceDocument invoice={invoice} />}
      {invoice !== undefined && isCrediting ? (
        <CreditInvoice invoice={invoice} onClose={() => setCrediting(false)} />
      ) : null}
    </Page>
  );
};
