/** Owns the model: what must hold at every commit, every delivery and every answer, and at the end. */
import type { Fields } from '../../src/purchases/decide.ts';
import type { Answer } from '../../src/purchases/purchase.ts';
import type { Commit, PurchaseRecord } from './database.ts';
import type { World } from './world.ts';

/** What an operator has done with an order, by its own book. */
export type BookEntry = {
  deliveries: number;
  reversed: boolean;
  /** Whether the operator has said something else than it did. */
  lied: boolean;
  /** Whether its reports tell of it. */
  readonly reported: boolean;
};

type Money = { readonly deposit: number; held: number; captured: number };

const openStates = new Set(['held', 'submitted', 'unknown', 'review']);
const soldStates = new Set(['succeeded', 'reversed']);

/** The steps that there are; a purchase may also be written again in the state that it is in. */
const steps: Readonly<Record<string, readonly string[]>> = {
  '': ['refused', 'submitted'],
  refused: [],
  held: ['submitted', 'succeeded', 'failed', 'unknown', 'review', 'reversed'],
  submitted: ['succeeded', 'failed', 'unknown', 'review', 'reversed'],
  unknown: ['submitted', 'succeeded', 'failed', 'review', 'reversed'],
  review: ['succeeded', 'failed', 'reversed'],
  succeeded: ['reversed'],
  failed: [],
  reversed: [],
};

/** What was bought and how it ended: none of it ever changes. */
const settledColumns = ['answer_status', 'answer_body', 'settled_at', 'operator_ref'] as const;
const wishColumns = [
  'client_id',
  'idempotency_key',
  'fingerprint',
  'product_id',
  'operator_id',
  'mobile',
  'amount',
  'offer_code',
  'offer_type',
  'profile_id',
  'webservice_code',
  'request_id',
  'began_at',
  'sent_to',
] as const satisfies readonly (keyof PurchaseRecord)[];

/** How far it has come; not why it waits, which a report may add to. */
const courseColumns = [
  'state',
  'attempts',
  'inquiries',
  'send_before',
  'quiet_at',
  'due_at',
  'disputed',
  ...settledColumns,
] as const satisfies readonly (keyof PurchaseRecord)[];

export type Asked = {
  readonly clientId: string;
  readonly key: string;
  readonly fields: Fields;
};

const sameFields = (row: PurchaseRecord, fields: Fields): boolean =>
  row.product_id === fields.productId &&
  row.mobile === fields.mobile &&
  row.amount === fields.price &&
  row.webservice_code === fields.webserviceCode &&
  row.offer_code === (fields.offer?.code ?? null) &&
  row.offer_type === (fields.offer?.type ?? null);

export const createModel = (world: World, deposits: ReadonlyMap<string, number>) => {
  const purchases = new Map<string, PurchaseRecord>();
  const byKey = new Map<string, PurchaseRecord>();
  const book = new Map<string, BookEntry>();
  const answers = new Map<string, Answer>();
  const firsthand = new Set<string>();
  const claimants = new Map<string, string>();
  /** Which attempt of a purchase a process has sent last. */
  const sent = new Map<string, number>();
  const money = new Map<string, Money>(
    [...deposits].map(([client, deposit]) => [client, { deposit, held: 0, captured: 0 }]),
  );
  const { violate } = world;
  const keyOf = (clientId: string, key: string): string => `${clientId} ${key}`;
  const delivered = (id: string): boolean => (book.get(id)?.deliveries ?? 0) > 0;

  const count = (row: PurchaseRecord, sign: 1 | -1): void => {
    const account = money.get(row.client_id);
    if (account === undefined) return violate(`${row.id} is of a stranger, ${row.client_id}`);
    if (openStates.has(row.state)) account.held += sign * row.amount;
    if (row.state === 'succeeded') account.captured += sign * row.amount;
  };

  const checkChange = (was: PurchaseRecord | undefined, row: PurchaseRecord): void => {
    const from = was?.state ?? '';
    if (from !== row.state && !steps[from]?.includes(row.state)) {
      violate(`${row.id} goes from "${from}" to ${row.state}`);
    }
    if (was === undefined) return;
    for (const column of wishColumns) {
      if (was[column] !== row[column]) violate(`${row.id} changes its ${column}`);
    }
    if (row.fence < was.fence) violate(`${row.id} falls back to fence ${row.fence}`);
    if (was.answer_status === null) return;
    for (const column of settledColumns) {
      if (was[column] !== row[column]) violate(`${row.id} is final and changes its ${column}`);
    }
  };

  /**
   * Only who has claimed it last may move what is open. What an operator says needs no claim: a report, and
   * the answer to an order, a refusal only where no other was sent since.
   */
  const checkClaim = (was: PurchaseRecord | undefined, row: PurchaseRecord, by: string): void => {
    const claimed = was === undefined || was.fence !== row.fence;
    if (claimed) claimants.set(row.id, by);
    const reported = soldStates.has(row.state) && row.operator_ref === row.id;
    // What waits for a person nobody has claimed; a report is noted there as evidence, and moves nothing.
    const noted = was?.state === 'review' && courseColumns.every((name) => was[name] === row[name]);
    const attempt = sent.get(`${by} ${row.id}`);
    const answered =
      attempt !== undefined &&
      (soldStates.has(row.state) || (row.state === 'failed' && attempt === row.attempts));
    if (claimed || reported || noted || answered || !openStates.has(was.state)) return;
    const claimant = claimants.get(row.id);
    if (claimant !== by) violate(`${by} moves ${row.id}, which ${claimant} has claimed`);
  };

  const checkAgainstBook = (row: PurchaseRecord): void => {
    const entry = book.get(row.id);
    if (soldStates.has(row.state) && !delivered(row.id)) {
      violate(`${row.id} is ${row.state} and was never delivered`);
    }
    if (row.state === 'reversed' && entry?.reversed !== true) {
      violate(`${row.id} is reversed, and the operator never took it back`);
    }
    const unsold = row.state === 'failed' || row.state === 'refused';
    if (unsold && delivered(row.id) && entry?.lied !== true) {
      violate(`${row.id} is ${row.state} and was delivered`);
    }
  };

  const checkMoney = (client: string, available: number, held: number): void => {
    const account = money.get(client);
    if (account === undefined) return violate(`a stranger ${client} has an account`);
    const spendable = account.deposit - account.captured - account.held;
    if (available !== spendable || held !== account.held) {
      violate(`${client} has ${available} + ${held}, not ${spendable} + ${account.held}`);
    }
    if (available < 0 || held < 0) violate(`${client} falls to ${available} + ${held}`);
  };

  return {
    book,
    purchases,
    find: ({ clientId, key }: Pick<Asked, 'clientId' | 'key'>) => byKey.get(keyOf(clientId, key)),
    committed: ({ by, purchases: rows, accounts }: Commit): void => {
      for (const row of rows) {
        world.say(`= ${row.id} ${row.state} fence ${row.fence} due ${row.due_at}`);
        const was = purchases.get(row.id);
        checkChange(was, row);
        checkClaim(was, row, by);
        checkAgainstBook(row);
        if (was !== undefined) count(was, -1);
        count(row, 1);
        purchases.set(row.id, row);
        byKey.set(keyOf(row.client_id, row.idempotency_key), row);
      }
      for (const { client_id, available, held } of accounts) checkMoney(client_id, available, held);
    },
    /** A process sends an order. */
    ordering: (id: string, by: string): void => {
      sent.set(`${by} ${id}`, purchases.get(id)?.attempts ?? 0);
    },
    /** The operator delivers: to be called before it is in the book. */
    delivering: (id: string, entry: BookEntry): void => {
      const row = purchases.get(id);
      if (entry.deliveries > 0) violate(`${id} is delivered twice`);
      if (row === undefined) violate(`${id} is delivered, and there is no such purchase`);
      else if (!openStates.has(row.state) && !entry.lied) {
        violate(`${id} is delivered while it is ${row.state}: nothing is held for it`);
      }
    },
    answered: (
      asked: Asked,
      answer: Answer,
      { purchaseId, replayed }: { purchaseId: string; replayed: boolean },
    ): void => {
      const name = keyOf(asked.clientId, asked.key);
      const row = byKey.get(name);
      if (row === undefined) return violate(`${name} is answered, and nothing is recorded`);
      if (row.id !== purchaseId) violate(`${name} is answered as ${purchaseId}, not as ${row.id}`);
      if (row.answer_status !== answer.status || row.answer_body !== answer.body) {
        violate(`${name} is answered ${answer.status} ${answer.body}, which is not recorded`);
      }
      if (!sameFields(row, asked.fields)) violate(`${name} answers a request with other fields`);
      const before = answers.get(name) ?? answer;
      if (before.status !== answer.status || before.body !== answer.body) {
        violate(`${name} was answered ${before.body} and now ${answer.body}`);
      }
      answers.set(name, before);
      if (answer.status === 200 && !delivered(row.id)) violate(`${name}: 200, and not delivered`);
      if (!replayed && firsthand.has(name)) violate(`${name} is answered twice as the first`);
      if (!replayed) firsthand.add(name);
    },
    sameFields,
  };
};

export type Model = ReturnType<typeof createModel>;

/** What is not as it has to be in the end; empty where all is. */
export const unsettled = (model: Model): string[] => {
  const problems: string[] = [];
  for (const row of model.purchases.values()) {
    const entry = model.book.get(row.id);
    const delivered = (entry?.deliveries ?? 0) > 0;
    if (openStates.has(row.state) && row.state !== 'review') {
      problems.push(`${row.id} is still ${row.state}`);
    }
    if (row.state === 'failed' && delivered && row.disputed === null) {
      problems.push(`${row.id} is failed, was delivered, and is not disputed`);
    }
    if (row.disputed !== null && entry?.lied !== true) {
      problems.push(`${row.id} is disputed without a reason`);
    }
    // Without reports a reversal is known only where an inquiry told it: then there is no receipt.
    const told = entry?.reported === true || row.operator_ref === row.id;
    if (entry?.reversed === true && told && row.state === 'succeeded') {
      problems.push(`${row.id} was taken back by the operator and is not reversed`);
    }
  }
  for (const [id, { deliveries }] of model.book) {
    if (deliveries > 0 && !model.purchases.has(id)) problems.push(`${id} is in no books`);
  }
  return problems;
};
