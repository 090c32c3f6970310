/** Draws further icons: alerts, the sales report, calendars, routes, price lists and invoices. */
import { drawn } from './icons.tsx';

export const BellIcon = drawn(
  'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15z',
  'M10 21.2q2 1.2 4 0',
  'M12 5v-1.5',
);
export const SalesIcon = drawn('M4 20h16', 'M6 16v-4M12 16v-11M18 16v-7');
export const CalendarIcon = drawn('M4 6h16v14h-16z', 'M4 10.5h16', 'M8.5 3.5v4M15.5 3.5v4');
export const RoutesIcon = drawn(
  'M4 12h5c3 0 3 -6 6 -6h5M9 12c3 0 3 6 6 6h5',
  'M17.5 3.5l2.5 2.5l-2.5 2.5M17.5 15.5l2.5 2.5l-2.5 2.5',
);
export const PriceListsIcon = drawn('M12.5 3.5h8v8l-9 9l-8 -8z', 'M16.2 7.8h.1', 'M8.7 12.3l3 3');
export const InvoicesIcon = drawn('M6 3.5h9l4 4v13h-13z', 'M9 10h6M9 13.5h6M9 17h3');
