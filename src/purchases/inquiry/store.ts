/** Holds the SQL that reads purchases: pages, one with its notes, and all of them for verification. */
import { runText } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { type Fact, readFact } from '../facts/facts.ts';
import type { NoteKind } from '../facts/note.ts';
import type { Purchase, State } from '../purchase.ts';
import { type PurchaseRow, purchaseColumns, toPurchase } from '../rows.ts';
import { allColumns, findByIds } from '../store.ts';

const postingColumns = columnsOf('postings');

export type PurchaseFilter = {
  /** Null means any client's, which only commands use. */
  readonly clientId: string | null;
  readonly webserviceCode?: string | undefined;
  readonly key?: string | undefined;
  readonly state?: State | undefined;
  readonly mobile?: string | undefined;
  readonly productId?: number | undefined;
  readonly operatorId?: number | undefined;
  /** Begun at or after this time, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only those that follow this one in the list. */
  readonly before?: Pick<Purchase, 'beganAt' | 'id'> | undefined;
  /** Only those that need review. */
  readonly undecided?: boolean | undefined;
  /** Only test clients', or only those of others. */
  readonly test?: boolean | undefined;
};

const matching = (db: Db, filter: PurchaseFilter) => {
  const { clientId, from, to, before } = filter;
  let query = db.selectFrom('purchases');
  if (clientId !== null) query = query.where('client_id', '=', clientId);
  const same = [
    ['webservice_code', filter.webserviceCode],
    ['idempotency_key', filter.key],
    ['state', filter.state],
    ['mobile', filter.mobile],
    ['product_id', filter.productId],
    ['operator_id', filter.operatorId],
  ] as const;
  for (const [column, value] of same) {
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (from !== undefined) query = query.where('began_at', '>=', from);
  if (to !== undefined) query = query.where('began_at', '<', to);
  if (before !== undefined) {
    query = query.where((eb) =>
      eb(eb.refTuple('began_at', 'id'), '<', eb.tuple(before.beganAt, before.id)),
    );
  }
  if (filter.undecided === true) {
    query = query.where((eb) =>
      eb.or([eb('state', '=', 'review'), eb('disputed', 'is not', null)]),
    );
  }
  if (filter.test === true) query = query.where('supplier_id', '<=', 0);
  if (filter.test === false) {
    query = query.where((eb) => eb.or([eb('supplier_id', 'is', null), eb('supplier_id', '>', 0)]));
  }
  return query;
};

export const countPurchases = async (db: Db, filter: PurchaseFilter): Promise<number> => {
  const { total } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

/** The newest first. */
export const listPurchases = async (
  db: Db,
  filter: PurchaseFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<Purchase[]> => {
  const rows = await matching(db, filter)
    .select(purchaseColumns)
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map(toPurchase);
};

const byIdText = `select ${allColumns} from purchases where id = ?`;

export const findPurchase = async (
  db: Db,
  id: string,
  clientId: string | null,
): Promise<Purchase | undefined> => {
  if (clientId !== null) return (await findByIds(db, [{ clientId, id }]))[0];
  const [row] = await runText<PurchaseRow>(db, byIdText, [id]);
  return row === undefined ? undefined : toPurchase(row);
};

/** A note with its time. */
export type WrittenNote = { readonly kind: NoteKind; readonly fact: Fact; readonly at: number };

export const readNotes = async (
  db: Db,
  purchase: Pick<Purchase, 'clientId' | 'id'>,
): Promise<WrittenNote[]> => {
  const rows = await db
    .selectFrom('purchase_notes')
    .select(['kind', 'code', 'fact_values', 'at'])
    .where('client_id', '=', purchase.clientId)
    .where('purchase_id', '=', purchase.id)
    .orderBy('seq')
    .execute();
  return rows.map(({ kind, code, fact_values, at }) => ({
    kind,
    fact: readFact(code, fact_values),
    at,
  }));
};

export const readPostings = async (
  db: Db,
  purchase: Pick<Purchase, 'clientId' | 'id'>,
): Promise<Tables['postings'][]> =>
  db
    .selectFrom('postings')
    .select(postingColumns)
    .where('client_id', '=', purchase.clientId)
    .where('purchase_id', '=', purchase.id)
    .orderBy('seq')
    .execute();

/** Every purchase with its postings: a row per posting, and one for a purchase without any. */
export const streamPurchases = (db: Db) =>
  db
    .selectFrom('purchases')
    .leftJoin('postings', (join) =>
      join
        .onRef('postings.client_id', '=', 'purchases.client_id')
        .onRef('postings.purchase_id', '=', 'purchases.id'),
    )
    .select([
      'purchases.client_id',
      'purchases.id',
      'purchases.state',
      'purchases.amount',
      'purchases.charged_amount',
      'purchases.price_entry_id',
      'purchases.began_at',
      'purchases.route_id',
      'purchases.left_suppliers',
      'purchases.supplier_id',
      'purchases.operator_id',
      'purchases.cost',
      'purchases.told_cost',
      'purchases.due_at',
      'purchases.settled_at',
      'purchases.answer_status',
      'purchases.disputed',
      'postings.seq',
      'postings.kind',
      'postings.amount as posted',
      'postings.cost as posted_cost',
      'postings.supplier_id as posted_supplier',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('supplier_ledger')
            .select('supplier_ledger.kind')
            .whereRef('supplier_ledger.client_id', '=', 'purchases.client_id')
            .whereRef('supplier_ledger.purchase_id', '=', 'purchases.id'),
        )
        .as('learnt'),
    )
    // Not by seq as well: for that order, a client's postings would be walked for each purchase.
    .orderBy('purchases.client_id')
    .orderBy('purchases.id')
    .stream();

/** One line about the cost of a purchase at a supplier. */
export type CostLine = Pick<
  Tables['purchases'],
  'client_id' | 'state' | 'operator_id' | 'cost' | 'told_cost' | 'left_suppliers'
> & {
  readonly purchase_id: string;
  readonly current_supplier: number | null;
  /** Where the line is, and its kind there. */
  readonly kind: string;
  readonly supplier_id: number | null;
  readonly line_cost: number | null;
};

const costLinesText = `with learnt as (select distinct client_id, purchase_id from supplier_ledger),
  lines as (
    select client_id, purchase_id, kind, supplier_id, cost from supplier_ledger
    union all
    select postings.client_id, postings.purchase_id, postings.kind, supplier_id, cost
    from learnt join postings on postings.client_id = learnt.client_id
      and postings.purchase_id = learnt.purchase_id and postings.kind in ('capture', 'reverse')
  )
  select lines.client_id as client_id, lines.purchase_id as purchase_id, lines.kind as kind,
    lines.supplier_id as supplier_id, lines.cost as line_cost, purchases.state as state,
    purchases.operator_id as operator_id, purchases.cost as cost, purchases.told_cost as told_cost,
    purchases.left_suppliers as left_suppliers, purchases.supplier_id as current_supplier
  from lines join purchases on purchases.client_id = lines.client_id and purchases.id = lines.purchase_id
  order by lines.client_id, lines.purchase_id`;

/** Postings that name a missing purchase. */
export const strayPostings = async (db: Db) =>
  db
    .selectFrom('postings')
    .leftJoin('purchases', (join) =>
      join
        .onRef('purchases.client_id', '=', 'postings.client_id')
        .onRef('purchases.id', '=', 'postings.purchase_id'),
    )
    .select(['postings.client_id', 'postings.seq', 'postings.purchase_id'])
    .where('postings.purchase_id', 'is not', null)
    .where('purchases.id', 'is', null)
    .limit(100)
    .execute();

/** The lines about the cost of purchases of which something was learnt besides their postings. */
export const listCostLines = (db: Db): Promise<CostLine[]> =>
  runText<CostLine>(db, costLinesText, []);

/** The purchases that have left a supplier, each with its attempts there. */
export const listLeft = (db: Db) =>
  db
    .selectFrom('purchases')
    .leftJoin('attempts', (join) =>
      join
        .onRef('attempts.client_id', '=', 'purchases.client_id')
        .onRef('attempts.purchase_id', '=', 'purchases.id'),
    )
    .select(['purchases.client_id', 'purchases.id', 'purchases.left_suppliers'])
    .select('attempts.supplier_id as attempted')
    .where('purchases.left_suppliers', 'is not', null)
    .execute();
