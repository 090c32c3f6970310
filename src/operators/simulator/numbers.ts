/** Maps a simulated number to its SIM type and behaviour, by its last digits. */
import type { SimType } from '../../connector/connector.ts';

export type Behaviour =
  | 'success'
  | 'out_of_stock'
  | 'barred'
  | 'not_subscriber'
  | 'slow'
  | 'answer_lost'
  | 'request_lost'
  | 'server_error'
  | 'unreadable'
  | 'done_at_third_inquiry'
  | 'pending_for_ever'
  | 'reversed';

const behaviours: ReadonlyMap<string, Behaviour> = new Map([
  ['88', 'out_of_stock'],
  ['90', 'barred'],
  ['91', 'not_subscriber'],
  ['92', 'slow'],
  ['93', 'answer_lost'],
  ['94', 'request_lost'],
  ['95', 'server_error'],
  ['96', 'unreadable'],
  ['97', 'done_at_third_inquiry'],
  ['98', 'pending_for_ever'],
  ['99', 'reversed'],
]);

export const behaviourOf = (mobile: string): Behaviour =>
  behaviours.get(mobile.slice(-2)) ?? 'success';

export const simTypeOf = (mobile: string): SimType =>
  Number(mobile.slice(-1)) % 2 === 0 ? 'credit' : 'permanent';
