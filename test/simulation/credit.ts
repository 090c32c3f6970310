/** Simulates a person who changes clients' credit limits, also below what is used. */
import { setCreditLimit } from '../../src/clients/money.ts';
import { inTransaction, OutcomeUnknown } from '../../src/db/transaction.ts';
import type { Db } from '../../src/db/types.ts';
import { type Database, InjectedFault } from './database.ts';
import type { Draw } from './draw.ts';
import { createProcess } from './process.ts';
import type { World } from './world.ts';

export type CreditDeps = {
  readonly world: World;
  readonly database: Database;
  readonly clientIds: readonly [string, ...string[]];
  /** Its own, so that worlds without credit take their course. */
  readonly draw: Draw;
  /** Whether a purchase may still begin: after that, no limit decides anything. */
  readonly mayBegin: () => boolean;
};

const limits = [0, 0, 150, 300, 600, 900] as const;

export const createCreditPerson = (given: CreditDeps): void => {
  const { world, database, clientIds, draw } = given;
  const process = createProcess(world, 'credit office');
  process.onDeath(() => world.after(1000, () => createCreditPerson(given)));
  const db: Db = database.connect(process);

  const change = async (): Promise<void> => {
    const clientId = draw.pick(clientIds);
    const limit = draw.pick(limits);
    world.say(`the credit limit of ${clientId} becomes ${limit}`);
    await inTransaction(db, (inside) =>
      setCreditLimit(
        { db: inside, clock: process.clock },
        { clientId, limit, reason: 'a contract' },
      ),
    );
  };

  const expected = (error: unknown): boolean =>
    error instanceof InjectedFault || error instanceof OutcomeUnknown;

  const again = (): void => {
    process.after(draw.whole(20, 1200), () => {
      if (!world.faulty() && !given.mayBegin()) return;
      change()
        .catch((error: unknown) => {
          if (!expected(error)) world.fail(`credit office: ${String(error)}`);
        })
        .finally(again);
    });
  };
  again();
};
