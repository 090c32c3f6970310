/** Runs the client use-cases for tests, each in a transaction of its own. */
import * as clients from '../../src/clients/client.ts';
import type { ClientDeps } from '../../src/clients/errors.ts';
import * as money from '../../src/clients/money.ts';
import * as rules from '../../src/clients/rules/change.ts';
import * as tokens from '../../src/clients/tokens.ts';
import { runTransaction } from '../../src/db/transaction.ts';

const inTransaction =
  <Given extends readonly unknown[], T>(
    useCase: (deps: ClientDeps, ...given: Given) => Promise<T>,
  ): ((deps: ClientDeps, ...given: Given) => Promise<T>) =>
  (deps, ...given) =>
    runTransaction(deps, (db) => useCase({ ...deps, db }, ...given));

export const createClient = inTransaction(clients.createClient);
export const updateClient = inTransaction(clients.updateClient);
export const createToken = inTransaction(tokens.createToken);
export const revokeToken = inTransaction(tokens.revokeToken);
export const deposit = inTransaction(money.deposit);
export const updateRules = inTransaction(rules.updateRules);
