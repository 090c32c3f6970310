/** Defines the client types, and parses typed amounts and lists. */
import { type Answer, ApiError } from '../api/client.ts';
import { readWhole, toLatinDigits } from '../format.ts';

export type Listed = Answer<'listClients'>['data'][number];
export type Totals = Answer<'listClients'>['totals'];
export type Client = Answer<'getClient'>;
export type Token = Client['tokens'][number];
export type Rules = Client['rules'];
export type Entry = Answer<'getClientStatement'>['data'][number];
export type Endpoint = Answer<'listClientWebhooks'>['data'][number];
export type Health = Endpoint['health'];
export type Message = Answer<'listClientMessages'>['data'][number];

/** Queries of a client's page that an action may change. */
export const ofClient = ['getClient', 'getClientStatement', 'listClients'] as const;

/** An amount of money above zero; else undefined. */
export const readAmount = (typed: string): number | undefined => {
  const amount = readWhole(typed);
  return amount !== undefined && amount > 0 ? amount : undefined;
};

type Funds = Pick<Client, 'available' | 'credit_limit' | 'credit_used'>;

/** A client's own money that is not held; below zero while it uses credit. */
export const ownMoney = ({ available, credit_limit: limit, credit_used: used }: Funds): number =>
  used > 0 ? -used : available - limit;

/** What it can spend after an amount, or under another limit. */
export const availableAfter = (
  funds: Funds,
  { amount = 0, limit = funds.credit_limit }: { readonly amount?: number; readonly limit?: number },
): number => Math.max(0, ownMoney(funds) + amount + limit);

/** Items separated by commas, spaces or line breaks. */
export const pieces = (typed: string): readonly string[] =>
  toLatinDigits(typed)
    .split(/[\s,،;؛]+/)
    .filter((piece) => piece !== '');

/** Whether the outcome of a request is unknown: no answer, or one from a proxy. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);
