/** Reports what was sold by day, operator, product and client, and exports it. */
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useMemo } from 'react';
import { useAddress } from '../api/address.ts';
import { useRead } from '../api/hooks.ts';
import { Page } from '../design/page/page.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { Download } from '../parts/download.tsx';
import { Filters, Grouping } from './filters.tsx';
import { ReportTable } from './report.tsx';
import { SpanPicker } from './span-picker.tsx';
import { daysOf, paramsOf, queryOf, type View, viewIn, writeSort } from './view.ts';

const readEveryMs = 30_000;

const Export = ({ view }: { readonly view: View }) => {
  const say = useText();
  const { zone } = useFormat();
  const query = queryOf(view, Date.now(), zone);
  const name = `sales-${query.from}-${query.to}`;
  return (
    <>
      <Download
        id="exportSales"
        given={{ query }}
        name={`${name}.csv`}
        text={say('sales.export')}
        help={say('sales.exportHelp')}
      />
      <Download
        id="exportSalesAsXlsx"
        given={{ query }}
        name={`${name}.xlsx`}
        text={say('sales.exportXlsx')}
        help={say('sales.exportXlsxHelp')}
      />
    </>
  );
};

export default function Sales() {
  const say = useText();
  const { zone } = useFormat();
  const [params, setParams] = useAddress();
  const view = useMemo(() => viewIn(params), [params]);
  const change = (part: Partial<View>): void =>
    setParams((now) => paramsOf({ ...viewIn(now), ...part }), { replace: true });
  const query = queryOf(view, Date.now(), zone);
  const report = useRead('getSales', { query }, { keep: true, refetchInterval: readEveryMs });
  const { data, error } = report;
  return (
    <Page title={say('pages.sales')} actions={<Export view={view} />}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
        <SpanPicker
          span={view.span}
          days={daysOf(view, Date.now(), zone)}
          onChoose={(span) => change({ span, from: '', to: '' })}
          onDays={({ from, to }) => change({ span: 'own', from, to })}
        />
        <Grouping view={view} onChange={change} />
        <FormControlLabel
          label={say('sales.compare')}
          control={
            <Checkbox
              checked={view.compare}
              onChange={(_event, compare) => change({ compare, sort: '' })}
            />
          }
        />
      </Box>
      <Filters view={view} onChange={change} />
      <ErrorState error={error} retry={() => void report.refetch()} />
      {report.isPending ? <Loading shape="table" /> : null}
      {data ? (
        <ReportTable
          report={data}
          view={view}
          onSort={(sort) => change({ sort: writeSort(sort) })}
        />
      ) : null}
    </Page>
  );
}
