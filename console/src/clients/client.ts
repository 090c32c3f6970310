/** Defines the client types, and parses typed amounts and lists. */
import { type Answer, ApiError } from '../api/client.ts';
import { readWhole, toLatinDigits } from '../format.ts';

export type Listed = Answer<'listClients'>['data'][number];
export type Client = Answer<'getClient'>;
export type Token = Client['tokens'][number];
export type Rules = Client['rules'];
export type Entry = Answer<'getClientStatement'>['data'][number];
export type Endpoint = Answer<'listClientWebhooks'>['data'][number];
export type Message = Answer<'listClientMessages'>['data'][number];

/** What is on the page of a client and may look different after something was done with it. */
export const ofClient = ['getClient', 'getClientStatement', 'listClients'] as const;

/** An amount of money above zero; else undefined. */
export const readAmount = (typed: string): number | undefined => {
  const amount = readWhole(typed);
  return amount !== undefined && amount > 0 ? amount : undefined;
};

/** What stands apart by commas, spaces or lines. */
export const pieces = (typed: string): readonly string[] =>
  toLatinDigits(typed)
    .split(/[\s,،;؛]+/)
    .filter((piece) => piece !== '');

/** Whether it is not known what became of a request: no answer, or one from on the way. */
export const isUnsure = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);
