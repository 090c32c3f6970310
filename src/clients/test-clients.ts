/** Runs the use-cases of clients for tests, each in a transaction of its own. */
import { transacting } from '../lib/db-outcome.ts';
import * as clients from './client.ts';
import type { ClientDeps } from './fault.ts';
import * as money from './money.ts';
import * as rules from './rules/change.ts';
import * as tokens from './tokens.ts';

const inTransaction =
  <Given extends readonly unknown[], T>(
    useCase: (deps: ClientDeps, ...given: Given) => Promise<T>,
  ): ((deps: ClientDeps, ...given: Given) => Promise<T>) =>
  (deps, ...given) =>
    transacting(deps, (db) => useCase({ ...deps, db }, ...given));

export const createClient = inTransaction(clients.createClient);
export const updateClient = inTransaction(clients.updateClient);
export const createToken = inTransaction(tokens.createToken);
export const revokeToken = inTransaction(tokens.revokeToken);
export const deposit = inTransaction(money.deposit);
export const updateRules = inTransaction(rules.updateRules);
