/** Finds pages, actions, clients, products and purchases for a typed text. */
import { useRead } from '../../api/hooks.ts';
import { useProductName } from '../../catalogue/names.ts';
import { useDebounced } from '../../design/input/debounce.ts';
import { useFormat } from '../../format.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { pages } from '../../pages.tsx';
import { type Right, useMe } from '../../session.tsx';
import { toLatinDigits } from '../../writing.ts';

export type Result = {
  readonly key: string;
  readonly name: string;
  /** Beside the name, such as a state. */
  readonly detail?: string;
  readonly to: string;
};

const groupNames = ['actions', 'pages', 'clients', 'products', 'purchases'] as const;

export type ResultGroup = {
  readonly name: (typeof groupNames)[number];
  readonly results: readonly Result[];
};

type Action = { readonly label: TextKey; readonly to: string; readonly right: Right };

const actions: readonly Action[] = [
  { label: 'search.reviewPurchases', to: '/purchases?needs_person=1', right: 'read' },
  { label: 'search.yesterdaySales', to: '/sales?span=yesterday&by=operator', right: 'read' },
  { label: 'search.newClient', to: '/clients?new=1', right: 'clients' },
  { label: 'search.importCatalogue', to: '/catalogue/import', right: 'catalogue' },
  { label: 'search.changePrices', to: '/catalogue/prices', right: 'catalogue' },
];

/** A text as it is compared: without case, in Latin digits, with the letters of one keyboard. */
export const plain = (text: string): string =>
  toLatinDigits(text.trim().toLowerCase())
    .replaceAll('\u064a', 'ی')
    .replaceAll('\u0643', 'ک')
    .replaceAll('\u200c', ' ');

const mostOfEach = 5;
// Shorter texts are found in too much.
const shortestName = 2;
const shortestKey = 4;

/** What the console knows by itself. */
const useOwn = (
  typed: string,
): { readonly actions: readonly Result[]; readonly pages: readonly Result[] } => {
  const say = useText();
  const { rights } = useMe();
  const wanted = plain(typed);
  const fits = ({ name }: Result): boolean => plain(name).includes(wanted);
  const may = ({ right }: { readonly right?: Right }): boolean =>
    right === undefined || rights.includes(right);
  return {
    actions: actions
      .filter(may)
      .map(({ label, to }) => ({ key: to, name: say(label), to }))
      .filter(fits),
    pages: pages
      .filter(may)
      .map(({ label, path }) => ({ key: path, name: say(label), to: path }))
      .filter(fits),
  };
};

/** Its name, marked if it is a test client. */
const useClientName = () => {
  const say = useText();
  return ({ name, test }: { readonly name: string; readonly test: boolean }): string =>
    test ? `${name} (${say('clients.test')})` : name;
};

const useClients = (search: string, enabled: boolean) => {
  const nameOf = useClientName();
  const query = { search, limit: String(mostOfEach) };
  const found = useRead('listClients', { query }, { enabled });
  const results = (found.data?.data ?? []).map(
    (client): Result => ({
      key: client.id,
      name: nameOf(client),
      to: `/clients/${client.id}`,
    }),
  );
  return { results: enabled ? results : [], isSearching: found.isFetching };
};

const useProducts = (search: string, enabled: boolean) => {
  const nameOf = useProductName();
  const query = { search, limit: String(mostOfEach) };
  const found = useRead('listProducts', { query }, { enabled });
  const results = (found.data?.data ?? []).map(
    (product): Result => ({
      key: String(product.id),
      name: nameOf(product),
      detail: String(product.id),
      to: `/catalogue/products/${product.id}`,
    }),
  );
  return { results: enabled ? results : [], isSearching: found.isFetching };
};

/** A role that must not search by number gets a refusal, which is no result. */
const usePurchases = (q: string, enabled: boolean) => {
  const nameOf = useClientName();
  const say = useText();
  const { time, money } = useFormat();
  const body = { q, limit: String(mostOfEach) };
  const found = useRead('searchPurchases', { body }, { enabled });
  const results = (found.data?.data ?? []).map(
    ({ id, client, amount, began_at: began, state }): Result => ({
      key: id,
      name: `${nameOf(client)} · ${money(amount)}`,
      detail: `${say(`purchaseWords.state.${state}`)} · ${time(began, 'short')}`,
      to: `/purchases/${id}`,
    }),
  );
  return { results: enabled ? results : [], isSearching: found.isFetching };
};

export const useResults = (
  typed: string,
): { readonly groups: readonly ResultGroup[]; readonly isSearching: boolean } => {
  const { rights } = useMe();
  const own = useOwn(typed);
  const text = typed.trim();
  const sent = useDebounced(text);
  const may = rights.includes('read');
  const isNamed = may && sent.length >= shortestName;
  const clients = useClients(sent, isNamed);
  const products = useProducts(sent, isNamed);
  const purchases = usePurchases(sent, may && sent.length >= shortestKey);
  const found = {
    ...own,
    clients: clients.results,
    products: products.results,
    purchases: purchases.results,
  };
  return {
    groups: groupNames
      .map((name) => ({ name, results: found[name] }))
      .filter(({ results }) => results.length > 0),
    isSearching:
      (may && text.length >= shortestName && text !== sent) ||
      [clients, products, purchases].some(({ isSearching }) => isSearching),
  };
};
