/** Defines the purchase commands: list, list unmatched reports, show with history. */
import { maskNumbers } from '../../admin/mask.ts';
import { readConfig } from '../../config/config.ts';
import { UsageError } from '../../lib/errors.ts';
import { maskMobile } from '../../lib/mobile.ts';
import { type LedgerRow, readLearntCosts } from '../../purchases/cost-store.ts';
import { type Fact, readFact } from '../../purchases/facts/facts.ts';
import { shownWords } from '../../purchases/facts/words.ts';
import { costOfPurchase } from '../../purchases/inquiry/costs.ts';
import { decisionsOf, historyOf } from '../../purchases/inquiry/history.ts';
import {
  findPurchase,
  listPurchases,
  readNotes,
  readPostings,
} from '../../purchases/inquiry/store.ts';
import { readAttempts } from '../../purchases/left/store.ts';
import { isFinal, type Purchase, states } from '../../purchases/purchase.ts';
import { listUnmatched } from '../../purchases/reports/store.ts';
import { readDecisions } from '../../purchases/review/store.ts';
import { type Amounts, readAmounts } from '../amounts.ts';
import {
  type Arguments,
  type Command,
  choiceOption,
  InvalidUsage,
  iso,
  isoOrNull,
  operand,
  table,
  textOption,
  withDatabase,
} from '../definition.ts';
import { testOption, wantsTest } from '../test-option.ts';

const numberOption = (args: Arguments, name: string): number | undefined => {
  const text = textOption(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidUsage(`--${name} must be a number.`);
  return value;
};

const wordsOrNull = (fact: Fact | null): string | null => (fact === null ? null : shownWords(fact));

/** Why a supplier was left: in its own words, if it gave any. */
const whyOf = (fact: Fact): string =>
  fact.code === 'error' ? (fact.values.reason ?? fact.values.name) : shownWords(fact);

const shown = (purchase: Purchase, { currency }: Pick<Amounts, 'currency'>) => ({
  id: purchase.id,
  client_id: purchase.clientId,
  state: purchase.state,
  product_id: purchase.productId,
  operator_id: purchase.operatorId,
  mobile: maskMobile(purchase.mobile, readConfig().mobile),
  amount: purchase.price,
  currency,
  webservice_code: purchase.webserviceCode,
  idempotency_key: purchase.key,
  reason: wordsOrNull(purchase.reason),
  disputed: wordsOrNull(purchase.disputed),
  began_at: iso(purchase.beganAt),
  settled_at: isFinal(purchase) ? iso(purchase.settledAt) : null,
});

/** What it cost, and what is left of what was charged; null where that is not known. */
const shownCost = (
  purchase: Purchase,
  postings: Awaited<ReturnType<typeof readPostings>>,
  learnt: readonly LedgerRow[],
) => {
  const found = costOfPurchase(purchase, postings, learnt);
  return {
    charged_amount: purchase.charged,
    cost_by_rule: found?.byRule ?? null,
    cost_told: found?.told ?? null,
    cost: found?.cost ?? null,
    margin: found?.margin ?? null,
  };
};

const mostListed = 100;

export const purchaseList: Command = {
  name: 'purchase list',
  summary: 'List purchases, newest first. Mobile numbers are masked.',
  options: {
    client: { value: 'ID', about: 'Only purchases of this client.' },
    state: { value: 'STATE', about: `One of ${states.join(', ')}.` },
    code: { value: 'TEXT', about: 'Only purchases with this webservice_code.' },
    key: { value: 'KEY', about: 'Only the purchase with this idempotency key.' },
    undecided: { about: 'Only purchases that need review: in review, or disputed.' },
    ...testOption,
    limit: { value: 'N', about: `The number of rows (default: ${mostListed}).` },
  },
  run: async (args) => {
    const limit = numberOption(args, 'limit') ?? mostListed;
    const filter = {
      clientId: textOption(args, 'client') ?? null,
      state: choiceOption(args, 'state', states),
      webserviceCode: textOption(args, 'code'),
      key: textOption(args, 'key'),
      undecided: args.options.get('undecided') === true,
      test: wantsTest(args),
    };
    const { found, amounts } = await withDatabase(async ({ db }) => ({
      found: await listPurchases(db, filter, { offset: 0, limit }),
      amounts: await readAmounts(db),
    }));
    const rows = found.map((purchase) => shown(purchase, amounts));
    return {
      data: rows,
      text: table(
        {
          ID: 'id',
          BEGAN: 'began_at',
          STATE: 'state',
          PRODUCT: 'product_id',
          MOBILE: 'mobile',
          [amounts.title('AMOUNT')]: 'amount',
          CODE: 'webservice_code',
          REASON: 'reason',
        },
        rows.map((row) => ({ ...row, reason: row.disputed ?? row.reason })),
      ),
    };
  },
};

export const purchaseUnmatched: Command = {
  name: 'purchase unmatched',
  summary: 'List operator reports about unknown orders, newest first.',
  options: {
    operator: { value: 'ID', about: 'Only reports of this operator.' },
    limit: { value: 'N', about: `The number of rows (default: ${mostListed}).` },
  },
  run: async (args) => {
    const limit = numberOption(args, 'limit') ?? mostListed;
    const operatorId = numberOption(args, 'operator');
    const { found, amounts } = await withDatabase(async ({ db }) => ({
      found: await listUnmatched(db, { operatorId, limit }),
      amounts: await readAmounts(db),
    }));
    const rows = found.map(({ at, found_at, ...row }) => ({
      ...row,
      at: isoOrNull(at),
      found_at: iso(found_at),
    }));
    return {
      data: rows,
      text: table(
        {
          FOUND: 'found_at',
          OPERATOR: 'operator_id',
          WHAT: 'kind',
          AT: 'at',
          REFERENCE: 'ref',
          MOBILE: 'mobile',
          [amounts.title('AMOUNT')]: 'amount',
        },
        rows,
      ),
    };
  },
};

export const purchaseShow: Command = {
  name: 'purchase show',
  summary: 'Show a purchase with its history and ledger entries. The mobile number is masked.',
  operands: ['ID'],
  run: async (args) => {
    const id = operand(args, 0);
    const found = await withDatabase(async ({ db }) => {
      const purchase = await findPurchase(db, id, null);
      if (purchase === undefined) throw new UsageError(`There is no purchase ${id}.`);
      const notes = await readNotes(db, purchase);
      const decisions = await readDecisions(db, id);
      const postings = await readPostings(db, purchase);
      const left = await readAttempts(db, purchase);
      const learnt = await readLearntCosts(db, purchase);
      const amounts = await readAmounts(db);
      return { purchase, notes, decisions, postings, left, learnt, amounts };
    });
    const history = historyOf(found.purchase, found.notes).map(({ at, kind, fact }) => ({
      at: iso(at),
      what: kind,
      code: fact?.code ?? null,
      values: fact?.values ?? null,
      detail: wordsOrNull(fact) ?? '',
    }));
    const postings = found.postings.map(({ at, kind, amount, seq }) => ({
      at: iso(at),
      kind,
      amount,
      seq,
    }));
    const left = found.left.map(({ supplier_id, left_at, code, fact_values }) => {
      const detail = maskNumbers(readConfig().mobile)(whyOf(readFact(code, fact_values)));
      return { left_at: iso(left_at), supplier_id, code, detail };
    });
    const { answer, attempts, inquiries, supplierId: supplier_id } = found.purchase;
    const decisions = decisionsOf(found.decisions).map(({ evidence, ...one }) => ({
      ...one,
      at: iso(one.at),
      evidence: evidence.map(shownWords).join('; '),
    }));
    const costs = shownCost(found.purchase, found.postings, found.learnt);
    const facts = {
      ...shown(found.purchase, found.amounts),
      supplier_id,
      ...costs,
      attempts,
      inquiries,
    };
    const data = { ...facts, answer, left, history, postings, decisions };
    const factLines = Object.entries(facts)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name.padEnd(16)} ${value}`);
    const lines = [
      ...factLines,
      '',
      ...(left.length === 0
        ? []
        : [table({ LEFT: 'left_at', SUPPLIER: 'supplier_id', WHY: 'detail' }, left), '']),
      table({ WHEN: 'at', WHAT: 'what', DETAIL: 'detail' }, history),
      '',
      table({ WHEN: 'at', POSTING: 'kind', [found.amounts.title('AMOUNT')]: 'amount' }, postings),
      ...decisions.map(
        ({ at, by, forced, evidence, reason }) =>
          `\nDecided at ${at} by ${by}${forced ? ' against the evidence' : ''}: ${reason}\nEvidence: ${evidence}`,
      ),
      ...(answer === null ? [] : ['', `Answer: ${answer.status} ${answer.body}`]),
    ];
    return { data, text: lines.join('\n') };
  },
};
