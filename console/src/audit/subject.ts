/** Finds the page and the name of what an audit log entry is about. Pure. */
import type { Operations } from '../api/types.ts';
import type { Say } from '../i18n/keys.ts';
import type { Format } from '../writing.ts';
import type { Entry } from './entry.ts';

/** The subjects that are not an object of their own. */
export const commonSubjects = [
  'settings',
  'catalogue',
  'routes',
  'purchases',
  'secrets',
  'sign-in',
] as const;

const isCommon = (subject: string): subject is (typeof commonSubjects)[number] =>
  commonSubjects.some((one) => one === subject);

/** The subject of an operator's entries, as the gateway writes it. */
export const operatorSubject = (id: number | string): string => `operator ${id}`;

export const operatorIn = (subject: string): string | undefined =>
  /^operator (\d+)$/.exec(subject)?.[1];

/** The subject of a product's entries, as the gateway writes it. */
export const productSubject = (id: number): string => `product ${id}`;

const productIn = (subject: string): string | undefined => /^product (\d+)$/.exec(subject)?.[1];

const routeIn = (subject: string): string | undefined => /^route (\d+)$/.exec(subject)?.[1];

const priceListIn = (subject: string): string | undefined =>
  /^price list (\d+)$/.exec(subject)?.[1];

const invoiceIn = (subject: string): string | undefined => /^invoice (\d+)$/.exec(subject)?.[1];

const isId = (subject: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(subject);

type Right = Operations['getMe']['answer']['rights'][number];

export type SubjectPage = { readonly to: string; readonly right: Right };

/** The page about it; undefined if there is none. */
export const pageOfSubject = ({
  action,
  subject,
}: Pick<Entry, 'action' | 'subject'>): SubjectPage | undefined => {
  const operator = operatorIn(subject);
  if (operator !== undefined) return { to: `/operators/${operator}`, right: 'read' };
  const product = productIn(subject);
  if (product !== undefined) return { to: `/catalogue/products/${product}`, right: 'read' };
  if (subject === 'settings' || subject === 'catalogue' || subject === 'purchases') {
    return { to: `/${subject}`, right: 'read' };
  }
  if (subject === 'routes' || routeIn(subject) !== undefined) {
    return { to: '/routes', right: 'routes_read' };
  }
  const priceList = priceListIn(subject);
  if (priceList !== undefined) return { to: `/price-lists/${priceList}`, right: 'prices_read' };
  const invoice = invoiceIn(subject);
  if (invoice !== undefined) return { to: `/invoices/${invoice}`, right: 'read' };
  if (!isId(subject)) return undefined;
  if (action.startsWith('client ')) return { to: `/clients/${subject}`, right: 'read' };
  if (action.startsWith('purchase ')) return { to: `/purchases/${subject}`, right: 'read' };
  // All other entries with an ID are about accounts.
  return { to: '/accounts', right: 'accounts' };
};

/** Its name; its code if it has none. */
export const subjectWords = (
  say: Say,
  format: Format,
  {
    action,
    subject,
    name,
  }: Pick<Entry, 'subject'> & {
    readonly action: string | undefined;
    readonly name: string | null | undefined;
  },
): string => {
  if (name !== null && name !== undefined) return name;
  const operator = operatorIn(subject);
  if (operator !== undefined)
    return say('audit.subjects.operator', { id: format.digits(operator) });
  const product = productIn(subject);
  if (product !== undefined) return say('audit.subjects.product', { id: product });
  const route = routeIn(subject);
  const priceList = priceListIn(subject);
  if (priceList !== undefined) {
    return say('audit.subjects.price_list', { id: format.digits(priceList) });
  }
  const invoice = invoiceIn(subject);
  if (invoice !== undefined) return say('audit.subjects.invoice', { id: format.digits(invoice) });
  if (route !== undefined) return say('audit.subjects.route', { id: format.digits(route) });
  if (isCommon(subject)) return say(`audit.subjects.${subject}`);
  if (!isId(subject)) return subject;
  const end = subject.slice(-8);
  return action?.startsWith('purchase ') === true
    ? say('audit.subjects.purchase', { id: end })
    : `…${end}`;
};
