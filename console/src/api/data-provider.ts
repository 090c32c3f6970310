/** Owns how react-admin's lists read from the gateway: whole ones, and long ones page by page. */
import type { DataProvider, GetListResult, RaRecord } from 'ra-core';
import { callAny, type OperationId } from './client.ts';
import { createCursors, findPage } from './cursors.ts';

/** The lists by the names that pages give them. Another area adds its lines. */
const lists = {
  accounts: 'listAccounts',
  audit: 'listAudit',
  clients: 'listClients',
} as const satisfies Record<string, OperationId>;

type Resource = keyof typeof lists;
const isResource = (name: string): name is Resource => Object.hasOwn(lists, name);

type Page = { readonly data: readonly unknown[]; readonly next?: string | null };
const isPage = (value: unknown): value is Page =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data);

const areRecords = <Row extends RaRecord>(rows: readonly unknown[]): rows is Row[] =>
  rows.every((row) => typeof row === 'object' && row !== null && 'id' in row);

/** By which names lists are kept that an operation answers. */
export const listsOf = (id: OperationId): readonly string[] =>
  Object.entries(lists).flatMap(([name, operation]) => (operation === id ? [name] : []));

const cursors = createCursors();

const readPage = async (
  resource: Resource,
  query: Readonly<Record<string, unknown>>,
): Promise<Page> => {
  const page = await callAny(lists[resource], { query });
  if (!isPage(page)) throw new Error(`${resource} is not a list.`);
  return page;
};

const rowsOf = <Row extends RaRecord>({ data }: Page): Row[] => {
  if (!areRecords<Row>(data)) throw new Error('A row without an id.');
  return data;
};

const refuse = async (): Promise<never> => {
  throw new Error('Changes are made by their own calls.');
};

export const dataProvider: DataProvider = {
  getList: async <Row extends RaRecord>(
    resource: string,
    { pagination, filter }: { pagination?: { page: number }; filter?: Record<string, unknown> },
  ): Promise<GetListResult<Row>> => {
    if (!isResource(resource)) throw new Error(`There is no list "${resource}".`);
    const wanted = pagination?.page ?? 1;
    const given = filter ?? {};
    const page = await findPage(cursors, JSON.stringify([resource, given]), wanted, (before) =>
      readPage(resource, before === undefined ? given : { ...given, before }),
    );
    const data = rowsOf<Row>(page);
    if (page.next === undefined) return { data, total: data.length };
    return { data, pageInfo: { hasNextPage: page.next !== null, hasPreviousPage: wanted > 1 } };
  },
  getOne: refuse,
  getMany: refuse,
  getManyReference: refuse,
  create: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
  deleteMany: refuse,
};
