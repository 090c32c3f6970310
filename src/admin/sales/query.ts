/** Reads the query of a sales report. */
import { type Static, Type } from 'typebox';
import { type Day, readDay } from '../../lib/calendar-day.ts';
import { GatewayError } from '../../lib/errors.ts';
import { mustBe } from '../../lib/field-texts.ts';
import { optionalText } from '../../lib/http/query.ts';
import type { Text } from '../../lib/text.ts';
import {
  type Dimension,
  dimensions,
  lengthOf,
  mostDays,
  type Period,
  type SalesFilter,
  type SalesQuery,
} from '../../purchases/sales/report/query.ts';

const id = (what: string) =>
  Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: `Only this ${what}.`, examples: ['1'] }),
  );

/** A report's fields, without what is shown of it. */
export const salesQuery = {
  from: optionalText('The first business day. Default: today.', '2026-01-01'),
  to: optionalText('The last business day. Default: `from`.', '2026-01-31'),
  by: optionalText(
    'Up to two of `day`, `client`, `product`, `operator` and `supplier`, separated by a comma. Without it, only totals.',
    'day,supplier',
  ),
  compare: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true`: with the period of the same length before.',
    }),
  ),
  client_id: optionalText('Only this client.', '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18'),
  product_id: id('product'),
  operator_id: id('operator'),
  supplier_id: id('supplier'),
};

const QuerySchema = Type.Object(salesQuery);
type Query = Static<typeof QuerySchema>;

const fault = (field: string, rule: Text): GatewayError =>
  new GatewayError('VALIDATION_FAILED', { errors: { [field]: [mustBe(field, rule)] } });

const readField = (name: 'from' | 'to', text: string): Day => {
  const day = readDay(text);
  if (day !== undefined) return day;
  throw fault(name, { en: 'a day such as 2026-01-31', fa: 'روزی مانند 2026-01-31' });
};

const readPeriod = ({ from, to }: Query, today: Day): Period => {
  const first = from === undefined ? today : readField('from', from);
  const period = { from: first, to: to === undefined ? first : readField('to', to) };
  const days = lengthOf(period);
  if (days >= 1 && days <= mostDays) return period;
  throw fault('to', {
    en: `from 1 to ${mostDays} days after the beginning of from`,
    fa: `حداکثر ${mostDays} روز از from به بعد`,
  });
};

const isDimension = (name: string): name is Dimension => dimensions.some((one) => one === name);

const readDimensions = (text: string | undefined): Dimension[] => {
  const names = text === undefined ? [] : text.split(',').map((name) => name.trim());
  const known = names.filter(isDimension);
  const isValid = known.length === names.length && new Set(names).size === names.length;
  if (isValid && names.length <= 2) return known;
  throw fault('by', {
    en: `up to two of ${dimensions.join(', ')}`,
    fa: `حداکثر دو مورد از ${dimensions.join('، ')}`,
  });
};

const readFilter = ({ client_id, product_id, operator_id, supplier_id }: Query): SalesFilter => ({
  ...(client_id === undefined ? {} : { client: client_id }),
  ...(product_id === undefined ? {} : { product: Number(product_id) }),
  ...(operator_id === undefined ? {} : { operator: Number(operator_id) }),
  ...(supplier_id === undefined ? {} : { supplier: Number(supplier_id) }),
});

export const readSalesQuery = (
  query: Query,
  today: Day,
): Required<SalesQuery> & { readonly compare: boolean } => ({
  period: readPeriod(query, today),
  by: readDimensions(query.by),
  filter: readFilter(query),
  compare: query.compare === 'true',
});
