/** Defines the commands that show suppliers, suspend them and resume them. */
import { resumeWithin, suspendWithin, trustWithin } from '../../admin/operators/suspension.ts';
import { readConfig } from '../../config/config.ts';
import { isSupplierId } from '../../config/sections/operators.ts';
import type { Db } from '../../db/types.ts';
import { readConnections } from '../../operators/defined/read.ts';
import { listSuspensions, type SuspensionRow } from '../../operators/settings/store.ts';
import { countBroken } from '../../purchases/left/promises.ts';
import { listRoutes } from '../../routing/store.ts';
import { auditOptions, reasonOf } from '../actor.ts';
import { byOption, runAudited } from '../audited.ts';
import { type Command, iso, type Result, table, withDatabase } from '../definition.ts';
import { type Known, namedIn, readAll, rowOf, show } from './connections.ts';

/** What the database says of suppliers beside their settings. */
const readMore = async (db: Db) => ({
  suspensions: await listSuspensions(db),
  routes: await listRoutes(db),
  broken: await countBroken(db),
});

type More = Awaited<ReturnType<typeof readMore>>;

const suspensionOf = ({ at, actor, reason }: SuspensionRow) => ({ at: iso(at), by: actor, reason });

const partsOf = (
  { config: { id, group }, definedBy }: Known,
  { suspensions, routes, broken }: More,
) => {
  const suspended = suspensions.find(({ operator_id }) => operator_id === id);
  return {
    kind: isSupplierId(id) ? 'supplier' : 'operator',
    defined_in: definedBy,
    group: group ?? null,
    suspended: suspended === undefined ? null : suspensionOf(suspended),
    routes: routes.filter(({ supplierId }) => supplierId === id).length,
    broken_promises: broken.get(id) ?? 0,
  };
};

const definedWords = { file: 'configuration file', console: 'console' } as const;

export const supplierList: Command = {
  name: 'supplier list',
  summary: 'List all that products can be ordered from: operators themselves, and suppliers.',
  run: async (): Promise<Result> => {
    const { all, more } = await readAll(readMore);
    const data = all.map((known) => ({ ...rowOf(known), ...partsOf(known, more) }));
    const rows = data.map((row) => ({
      ...row,
      state: row.suspended === null ? row.state : `suspended since ${row.suspended.at}`,
    }));
    const columns = {
      ID: 'id',
      NAME: 'name',
      KIND: 'kind',
      CONNECTOR: 'connector',
      FROM: 'from',
      GROUP: 'group',
      ROUTES: 'routes',
      STATE: 'state',
    } as const;
    return { data, text: table(columns, rows) };
  },
};

export const supplierShow: Command = {
  name: 'supplier show',
  summary:
    'Show how a supplier is reached, what it promises and has broken, its group, suspension and routes.',
  operands: ['SUPPLIER'],
  run: async (args): Promise<Result> => {
    const { all, more } = await readAll(readMore);
    const known = namedIn(args, all, 'supplier');
    const shown = await show(known);
    const parts = partsOf(known, more);
    const { suspended, group, routes, broken_promises } = parts;
    const words =
      suspended === null
        ? 'It is not suspended.'
        : `Suspended since ${suspended.at} by ${suspended.by}: ${suspended.reason}`;
    const text = [
      shown.text,
      `Defined in the ${definedWords[parts.defined_in]}.`,
      `Group: ${group ?? 'none'}.`,
      `Routes that name it: ${routes}.`,
      `Broken promises: ${broken_promises}.`,
      words,
    ].join('\n');
    return { ...shown, data: { ...shown.data, ...parts }, text };
  },
};

/** The supplier that is named. Its settings do not matter here. */
const configured = async (args: Parameters<Command['run']>[0]) => {
  const all = await withDatabase(({ db }) => readConnections(db, readConfig()));
  return namedIn(args, all, 'supplier').config;
};

export const supplierSuspend: Command = {
  name: 'supplier suspend',
  summary: 'Order nothing new from a supplier until it is resumed. Open purchases are still ended.',
  operands: ['SUPPLIER'],
  options: auditOptions,
  run: async (args): Promise<Result> => {
    const { id, name } = await configured(args);
    const reason = reasonOf(args);
    const changed = await runAudited(args, (acting) => suspendWithin(acting, id, reason));
    const text = changed ? `${name} is suspended.` : `${name} was suspended before.`;
    return { data: { id, name, suspended: true, changed }, text };
  },
};

export const supplierResume: Command = {
  name: 'supplier resume',
  summary: 'End the suspension of a supplier.',
  operands: ['SUPPLIER'],
  options: byOption,
  run: async (args): Promise<Result> => {
    const { id, name } = await configured(args);
    const changed = await runAudited(args, (acting) => resumeWithin(acting, id));
    const text = changed ? `${name} is resumed.` : `${name} was not suspended.`;
    return { data: { id, name, suspended: false, changed }, text };
  },
};

export const supplierTrust: Command = {
  name: 'supplier trust',
  summary: 'Trust a supplier again that delivered what it had denied: purchases move on from it.',
  operands: ['SUPPLIER'],
  options: auditOptions,
  run: async (args): Promise<Result> => {
    const { id, name } = await configured(args);
    const reason = reasonOf(args);
    const broken = await runAudited(args, (acting) => trustWithin(acting, id, reason));
    const text =
      broken === 0
        ? `${name} had broken no promise.`
        : `${name} is trusted again. Promises that it had broken: ${broken}.`;
    return { data: { id, name, broken_promises: broken }, text };
  },
};
