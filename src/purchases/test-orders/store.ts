/** Holds the SQL by which the simulator finds the purchases of test clients: they are its book. */
import { runText } from '../../db/statement.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import { idLowerBound } from '../../lib/random.ts';
import type { TestOrder, TestOrders } from '../../operators/simulator/test-connection.ts';
import type { PurchaseRow } from '../rows.ts';

const columns = `id, mobile, offer_code, offer_type, began_at, inquiries`;

type Row = Pick<
  PurchaseRow,
  'id' | 'mobile' | 'offer_code' | 'offer_type' | 'began_at' | 'inquiries'
>;

const orderOf = ({ offer_code: code, offer_type: type, ...row }: Row): TestOrder => ({
  ref: row.id,
  mobile: row.mobile,
  ...(code === null || type === null ? {} : { offer: { code, type } }),
  beganAt: row.began_at,
  inquiries: row.inquiries,
});

const oneText = `select ${columns} from purchases where id = ? and supplier_id <= 0`;

// Test clients are few, and the key begins with the client: each is looked up.
const atATime = 200;
const begunText = `select ${columns} from purchases
  where client_id in (select id from clients where test = 1)
    and id > ? and id < ? and supplier_id = ? and state <> 'refused'
  order by id limit ${atATime}`;

export const createTestOrders = (db: Db, databaseTime: DatabaseTime): TestOrders => ({
  now: () => databaseTime(db),
  find: async (ref) => {
    const [row] = await runText<Row>(db, oneText, [ref]);
    return row === undefined ? undefined : orderOf(row);
  },
  begun: async (supplierId, cursor, by) => {
    const until = idLowerBound(Math.max(0, by));
    const rows = await runText<Row>(db, begunText, [cursor, until, supplierId]);
    return { orders: rows.map(orderOf), cursor: rows.at(-1)?.id ?? cursor };
  },
});
