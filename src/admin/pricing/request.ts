/** Shares what the routes of price lists need: their dependencies, rights, and how they read a request. */
import type { DatabaseTime, Db } from '../../db/types.ts';
import { readPositive } from '../../lib/page.ts';
import { readQueryTime } from '../../lib/time.ts';
import type { Problems } from '../../pricing/change.ts';
import type { LivePrices } from '../../pricing/live.ts';
import { readLists, type StoredList } from '../../pricing/store.ts';
import { type ActDeps, fieldFault } from '../clients/act.ts';
import { AdminError } from '../errors.ts';
import type { RoutingRouteDeps } from '../routing/routes.ts';
import { refuseFields } from '../routing/wire.ts';

export type PricingRouteDeps = ActDeps &
  Pick<RoutingRouteDeps, 'routing'> & {
    readonly pricing: {
      readonly databaseTime: DatabaseTime;
      readonly live: Pick<LivePrices, 'reload'>;
    };
  };

export const base = '/admin/api/price-lists';
export const reading = { config: { adminNeeds: 'prices_read' } } as const;
export const changing = { config: { adminNeeds: 'prices' } } as const;

/** No list has the ID 0. */
export const idIn = (params: { readonly price_list_id: string }): number =>
  readPositive(params.price_list_id) ?? 0;

export const readTimeOf = (field: string, text: string): number => {
  const moment = readQueryTime(text);
  if (moment !== undefined) return moment;
  throw fieldFault(field, {
    en: `${field} must be a time such as 2026-01-31T09:30:00Z.`,
    fa: `\`${field}\` باید زمانی مانند \`2026-01-31T09:30:00Z\` باشد.`,
  });
};

/** A change that was not made, as the error of its fields. */
export const refuse = ({ problems }: Problems): Error => refuseFields(problems);

export const findList = async (db: Db, id: number): Promise<StoredList> => {
  const list = (await readLists(db)).find((found) => found.id === id);
  if (list === undefined) throw new AdminError('PRICE_LIST_NOT_FOUND');
  return list;
};
