/** Verifies the sums of what suppliers took, their floats' entries and the ends of their chains. Reads only. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { allHours } from './costs.ts';

export type FloatProblem = { readonly client?: undefined; readonly problem: string };

type Sums = { readonly supplier: number; readonly all: number; readonly hours: number };

const postedText = `select postings.supplier_id as supplier, cast(sum(postings.cost) as bigint) as cost
  from sales_cursors join postings on postings.client_id = sales_cursors.client_id
    and postings.seq <= sales_cursors.seq
  where postings.supplier_id > 0 and postings.cost is not null
  group by postings.supplier_id`;

const countedText = `select supplier_id as supplier,
    cast(sum(case when hour = ${allHours} then cost else 0 end) as bigint) as "all",
    cast(sum(case when hour = ${allHours} then 0 else cost end) as bigint) as hours
  from supplier_costs group by supplier_id`;

const gapsText = `select supplier_id as supplier, max(number) as last, count(*) as entries
  from float_entries group by supplier_id having max(number) <> count(*)`;

const uneven = `select supplier_id as supplier from chain_ends group by supplier_id
  having sum(deliveries) <> 0 order by supplier_id`;

const foreign = `select supplier_id as supplier, balance from chain_ends as ends where not exists (
    select 1 from postings where client_id = ends.client_id and purchase_id = ends.purchase_id
      and kind = 'capture' and supplier_id = ends.supplier_id
      and ends.balance in (supplier_balance, supplier_balance + cost))
  order by supplier_id, balance`;

const verifyChains = async (db: Db): Promise<string[]> => {
  const unevenOnes = await runText<{ supplier: number }>(db, uneven, []);
  const foreignOnes = await runText<{ supplier: number; balance: number }>(db, foreign, []);
  return [
    ...unevenOnes.map(({ supplier }) => `an end of the chain of supplier ${supplier} is missing`),
    ...foreignOnes.map(
      ({ supplier, balance }) =>
        `no delivery of supplier ${supplier} has the balance ${balance} of its chain`,
    ),
  ];
};

export const verifyFloats = async (db: Db): Promise<readonly FloatProblem[]> => {
  const posted = await runText<{ supplier: number; cost: number }>(db, postedText, []);
  const counted = await runText<Sums>(db, countedText, []);
  const gaps = await runText<{ supplier: number }>(db, gapsText, []);
  const suppliers = new Set([...posted, ...counted].map(({ supplier }) => supplier));
  const problems = [...suppliers].flatMap((supplier) => {
    const cost = posted.find((row) => row.supplier === supplier)?.cost ?? 0;
    const { all, hours } = counted.find((row) => row.supplier === supplier) ?? { all: 0, hours: 0 };
    return [
      ...(all === cost ? [] : [`supplier ${supplier} took ${cost} by its postings, not ${all}`]),
      ...(hours === all
        ? []
        : [`the hours of supplier ${supplier} add up to ${hours}, not ${all}`]),
    ];
  });
  const missing = gaps.map(
    ({ supplier }) => `an entry of the float of supplier ${supplier} is missing`,
  );
  return [...problems, ...missing, ...(await verifyChains(db))].map((problem) => ({ problem }));
};
