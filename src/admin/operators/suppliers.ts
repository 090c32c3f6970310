/** Creates, changes and removes suppliers that the console defines. Their settings are changed as those of operators. */
import { possibleSupplierIds } from '../../config/sections/operators.ts';
import { bumpVersion, lockVersion } from '../../db/changes/versions.ts';
import type { Text } from '../../lib/text.ts';
import {
  insertSupplier,
  listSupplierIds,
  listSuppliers,
  removeSupplier as markRemoved,
  type SupplierRow,
  type SupplierTerms,
  updateSupplier as writeTerms,
} from '../../operators/defined/store.ts';
import { rememberOperators } from '../../purchases/restored/store.ts';
import { everNamesSupplier } from '../../routing/store.ts';
import { type Actor, type AuditContext, afterCommit, auditChange } from '../audit/audit.ts';
import { fieldFault, runAction } from '../clients/act.ts';
import { AdminError } from '../errors.ts';
import { type OperatorAdminDeps, subjectOf } from './change.ts';

export type NewSupplier = {
  /** Without one, the gateway takes a free number. */
  readonly id?: number;
  readonly name: string;
  readonly names: Text;
  readonly group?: string | null;
};

/** What is changed of a supplier; the rest stays. */
export type SupplierChange = { readonly names?: Text; readonly group?: string | null };

// Suppliers of the file usually have lower numbers, so that it rarely takes one of the console's later.
const firstOfConsole = 500;

const faults = {
  idTaken: (id: number): Text => ({
    en: `The number ${id} is in use, or was used by a supplier that was removed. Use another.`,
    fa: `شمارهٔ ${id} در حال استفاده است، یا پیش‌تر از آنِ تأمین‌کنندهٔ حذف‌شده‌ای بوده است. شمارهٔ دیگری بدهید.`,
  }),
  noId: {
    en: 'All numbers of suppliers are in use.',
    fa: 'همهٔ شماره‌های تأمین‌کنندگان در حال استفاده است.',
  },
  nameTaken: {
    en: 'An operator or supplier with this name already exists. Use another.',
    fa: 'اپراتور یا تأمین‌کننده‌ای با این نام از پیش وجود دارد. نام دیگری بدهید.',
  },
} as const;

type Live = OperatorAdminDeps['operators']['live'];

const chosenId = (live: Live, wanted: number | undefined, used: ReadonlySet<number>): number => {
  const isFree = (id: number): boolean => !used.has(id) && live.inFile(id) === undefined;
  if (wanted !== undefined) {
    if (isFree(wanted)) return wanted;
    throw fieldFault('id', faults.idTaken(wanted));
  }
  const free = possibleSupplierIds.filter(isFree);
  const id = free.find((one) => one >= firstOfConsole) ?? free[0];
  if (id === undefined) throw fieldFault('id', faults.noId);
  return id;
};

const shownIn = ({ name_en, name_fa, account_group: group }: SupplierTerms) => ({
  name_en,
  name_fa,
  group,
});

/** Within a transaction. It has no connector yet, so it gets no orders. Returns its number. */
export const createSupplier = async (
  { operators: { live, registry } }: Pick<OperatorAdminDeps, 'operators'>,
  acting: AuditContext,
  { id: wanted, name, names, group = null }: NewSupplier,
): Promise<{ readonly id: number }> => {
  const { db, clock, newId } = acting;
  await lockVersion(db, 'operators');
  const known = [...registry.all, ...registry.unconnected, ...(await listSuppliers(db))];
  if (known.some((one) => one.name === name)) throw fieldFault('name', faults.nameTaken);
  const id = chosenId(live, wanted, new Set(await listSupplierIds(db)));
  const terms = { name_en: names.en, name_fa: names.fa, account_group: group };
  const row = { id, name, ...terms, created_at: clock.now(), removed_at: null };
  await insertSupplier(db, row);
  await rememberOperators(db, [id]);
  await bumpVersion(db, 'operators', newId);
  await auditChange(acting, {
    action: 'supplier create',
    subject: subjectOf({ id }),
    after: { name, ...shownIn(terms) },
  });
  return { id };
};

/** Within a transaction: the row of one that the console defines. */
const rowAt = async (live: Live, { db }: AuditContext, id: number): Promise<SupplierRow> => {
  if (live.inFile(id) !== undefined) throw new AdminError('SUPPLIER_IN_FILE');
  const row = (await listSuppliers(db)).find((one) => one.id === id);
  if (row === undefined) throw new AdminError('OPERATOR_NOT_FOUND');
  return row;
};

/** The name stays: it is in the address of callbacks and in metrics. */
export const changeSupplier = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  id: number,
  { names, group }: SupplierChange,
): Promise<void> => {
  const { live } = deps.operators;
  await runAction(deps, actor, async (acting) => {
    await lockVersion(acting.db, 'operators');
    const before = await rowAt(live, acting, id);
    const after = {
      name_en: names?.en ?? before.name_en,
      name_fa: names?.fa ?? before.name_fa,
      account_group: group === undefined ? before.account_group : group,
    };
    const [was, is] = [shownIn(before), shownIn(after)];
    if (JSON.stringify(was) === JSON.stringify(is)) return;
    await writeTerms(acting.db, id, after);
    await bumpVersion(acting.db, 'operators', acting.newId);
    await auditChange(acting, {
      action: 'supplier change',
      subject: subjectOf({ id }),
      before: was,
      after: is,
    });
  });
  await afterCommit(live.reload);
};

/**
 * A purchase gets to a supplier by a route, and routes keep their history. So one that no route ever named has
 * no purchase that recovery would need it for.
 */
export const removeSupplier = async (
  deps: OperatorAdminDeps,
  actor: Actor,
  id: number,
): Promise<void> => {
  const { live } = deps.operators;
  await runAction(deps, actor, async (acting) => {
    // So that no route names it meanwhile.
    await lockVersion(acting.db, 'routes');
    await lockVersion(acting.db, 'operators');
    const row = await rowAt(live, acting, id);
    if (await everNamesSupplier(acting.db, id)) throw new AdminError('SUPPLIER_IN_USE');
    await markRemoved(acting.db, id, acting.clock.now());
    await bumpVersion(acting.db, 'operators', acting.newId);
    await auditChange(acting, {
      action: 'supplier remove',
      subject: subjectOf({ id }),
      before: { name: row.name, ...shownIn(row) },
    });
  });
  await afterCommit(live.reload);
};
