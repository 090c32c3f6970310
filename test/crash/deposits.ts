/** Makes deposits during a crash test, and repeats those that a restore forgot. */
import type { Query } from './judge.ts';
import type { Client } from './shop.ts';
import type { RunCommand } from './world.ts';

/** Money for the client that runs out of it; a deposit that a restore lost is repeated. */
export const createDepositor = (command: RunCommand, query: Query, client: Client) => {
  const amount = 1_000_000;
  let total = 0;
  const count = async (): Promise<number> =>
    (await query(`select 1 from postings where client_id = '${client.id}' and kind = 'deposit'`))
      .length;
  /** If the command failed, the account shows whether to repeat it. */
  const enter = async (): Promise<void> => {
    const before = await count();
    while ((await count()) === before) {
      await command('client', 'deposit', client.id, String(amount));
    }
  };
  return {
    clientId: client.id,
    total: () => total,
    deposit: async () => {
      await enter();
      total += amount;
      return enter;
    },
  };
};

export type Depositor = ReturnType<typeof createDepositor>;

/** The clients with the sum of their deposits. */
export const fundedBy = (depositor: Depositor, clients: readonly Client[]): Client[] =>
  clients.map((client) =>
    client.id === depositor.clientId
      ? { ...client, balance: client.balance + depositor.total() }
      : client,
  );
