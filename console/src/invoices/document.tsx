/** Lays out an invoice for the screen and for paper: who sold to whom, the lines, the total and its tax. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useProductName } from '../catalogue/names.ts';
import { DescriptionList, type Facts } from '../design/data/description-list.tsx';
import { card } from '../design/page/card.ts';
import { useText } from '../i18n/text.ts';
import { type Invoice, useInvoiceFormat, useMonthWords } from './format.ts';

const paper = {
  ...card,
  p: { xs: 2, md: 4 },
  display: 'grid',
  gap: 3,
  // Black on white, also for those who work in the dark.
  '@media print': {
    border: 0,
    padding: 0,
    '&, & *': { color: '#000000 !important', background: 'none !important' },
  },
} as const;

const tableStyles = {
  width: '100%',
  borderCollapse: 'collapse',
  typography: 'body2',
  fontVariantNumeric: 'tabular-nums',
  '& :is(th, td)': {
    p: 1,
    borderBottom: 1,
    borderColor: 'divider',
    whiteSpace: 'nowrap',
  },
  '& :is(th, td):first-of-type': { textAlign: 'start', whiteSpace: 'normal' },
  '& thead th': { fontWeight: 600 },
  '& tfoot :is(th, td)': { fontWeight: 600, borderBottom: 0 },
  // A row never breaks between two sheets, and each sheet has the heads.
  '& tr': { breakInside: 'avoid' },
  // A phone shows what counts; paper is wide enough for all.
  '& [data-wide]': {
    display: { xs: 'none', sm: 'table-cell' },
    '@media print': { display: 'table-cell' },
  },
} as const;

/** The seller or the buyer, as it was when the invoice was made. */
const Party = ({ title, party }: { readonly title: string; readonly party: Invoice['buyer'] }) => {
  const say = useText();
  const lines = [...new Set(party.address.split('\n'))].filter((line) => line !== '');
  return (
    <Box component="section" aria-label={title} sx={{ minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary" component="h3">
        {title}
      </Typography>
      <Typography sx={{ fontWeight: 600 }}>
        <bdi>{party.name === '' ? say('common.none') : party.name}</bdi>
      </Typography>
      {party.number === '' ? null : (
        <Typography variant="body2">
          {say('invoices.taxNumber')}: <bdi>{party.number}</bdi>
        </Typography>
      )}
      {lines.map((line) => (
        <Typography variant="body2" key={line}>
          <bdi>{line}</bdi>
        </Typography>
      ))}
    </Box>
  );
};

const Lines = ({ invoice }: { readonly invoice: Invoice }) => {
  const say = useText();
  const nameOf = useProductName();
  const { count, money } = useInvoiceFormat()(invoice);
  const { direction } = useTheme();
  // Numbers are on the right in both directions.
  const align = { textAlign: direction === 'ltr' ? 'end' : 'start' } as const;
  const someOf = (amount: number): string => (amount === 0 ? say('common.none') : money(amount));
  const cells = (of: Omit<Invoice['lines'][number], 'product'>): ReactNode => (
    <>
      <td>{count(of.sold)}</td>
      <td data-wide="">{money(of.price)}</td>
      <td data-wide="">{someOf(of.commission)}</td>
      <td data-wide="">{money(of.charged)}</td>
      <td data-wide="">{someOf(of.reversed_amount)}</td>
      <td>{money(of.total)}</td>
    </>
  );
  return (
    <Box
      component="table"
      aria-label={say('invoices.lines')}
      sx={{ ...tableStyles, '& :is(th, td) ~ :is(th, td)': align }}
    >
      <thead>
        <tr>
          <th scope="col">{say('invoices.product')}</th>
          <th scope="col">{say('invoices.sold')}</th>
          {(['price', 'commission', 'charged', 'reversed'] as const).map((name) => (
            <th scope="col" key={name} data-wide="">
              {say(`invoices.${name}`)}
            </th>
          ))}
          <th scope="col">{say('invoices.total')}</th>
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line) => (
          <tr key={line.product.id}>
            <td>
              <bdi>{nameOf(line.product) ?? say('invoices.unknownProduct')}</bdi>
            </td>
            {cells(line)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{say('invoices.total')}</th>
          {cells(invoice)}
        </tr>
      </tfoot>
    </Box>
  );
};

const Tax = ({ invoice }: { readonly invoice: Invoice }) => {
  const say = useText();
  const { money, percent } = useInvoiceFormat()(invoice);
  const { tax, tax_percent: rate, total } = invoice;
  if (Number(rate) === 0) return null;
  return (
    <Box sx={{ justifySelf: 'end', textAlign: 'end' }}>
      <Typography>
        {say('invoices.includesTax', {
          percent: percent(Number(rate) / 100, 4),
          tax: money(tax),
        })}
      </Typography>
      <Typography color="textSecondary">
        {say('invoices.withoutTax', { amount: money(total - tax) })}
      </Typography>
    </Box>
  );
};

const Notes = ({ invoice }: { readonly invoice: Invoice }) => {
  const say = useText();
  const { digits, money, time } = useInvoiceFormat()(invoice);
  const { credit_notes: notes, credited, total } = invoice;
  if (notes.length === 0) return null;
  return (
    <Box component="section" aria-label={say('invoices.creditNotes')}>
      <Typography variant="h2" sx={{ mb: 1 }}>
        {say('invoices.creditNotes')}
      </Typography>
      <DescriptionList
        rows={[
          ...notes.map(
            (note) =>
              [
                say('invoices.creditNote', { number: digits(note.number) }),
                <span key={note.number}>
                  {money(note.amount)} · {time(note.created_at, 'date')} · <bdi>{note.reason}</bdi>
                </span>,
              ] as const,
          ),
          [say('invoices.left'), money(total - credited)],
        ]}
      />
    </Box>
  );
};

export const InvoiceDocument = ({ invoice }: { readonly invoice: Invoice }) => {
  const say = useText();
  const format = useInvoiceFormat()(invoice);
  const monthWords = useMonthWords();
  const { digits, time } = format;
  const facts: Facts = [
    [say('invoices.number'), digits(invoice.number)],
    [say('invoices.created'), time(invoice.created_at, 'date')],
    [say('invoices.period'), monthWords(invoice, format)],
    [
      say('invoices.entries'),
      say('invoices.entriesOf', {
        from: digits(invoice.after_seq + 1),
        to: digits(invoice.through_seq),
      }),
    ],
  ];
  return (
    <Box
      component="article"
      aria-label={say('invoices.title', { number: digits(invoice.number) })}
      sx={paper}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' },
          '@media print': { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
        }}
      >
        <Party title={say('invoices.seller')} party={invoice.seller} />
        <Party title={say('invoices.buyer')} party={invoice.buyer} />
        <DescriptionList rows={facts} />
      </Box>
      <Lines invoice={invoice} />
      <Tax invoice={invoice} />
      <Notes invoice={invoice} />
    </Box>
  );
};
