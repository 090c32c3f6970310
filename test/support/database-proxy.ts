/** Runs a proxy in front of a database that cuts, refuses and swallows at moments a test chooses. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { cleanUpAfterTest } from './cleanup.ts';

/** The fate of something that a client sends. */
export type Fate =
  | 'passes'
  /** It never arrives, and the connection is cut. */
  | 'is lost'
  /** It arrives and runs, with a commit that was sent along; the connection is cut before an answer passes. */
  | 'loses its answer';

/** The fate of a message, by its text and by all that its connection has sent since its transaction began. */
export type FateOf = (sent: string, transaction: string) => Fate;

export type DatabaseProxy = {
  readonly port: number;
  /** Decides the fate of everything sent from now on. */
  readonly decide: (fateOf: FateOf) => void;
  /** Cuts all connections and refuses new ones. */
  readonly goAway: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  /** Keeps all connections, takes new ones, and passes nothing. */
  readonly fallSilent: () => void;
  /** Passes again. What was swallowed stays lost, and existing connections do not notice. */
  readonly speak: () => void;
  /** Shows new clients another process number, as a pooler does. */
  readonly disguise: () => void;
  /** Passes no notifications from now on, like a pooler in transaction mode. */
  readonly dropNotifications: () => void;
  /** Sends new clients elsewhere, and cuts existing ones. */
  readonly pointTo: (port: number) => void;
  readonly close: () => Promise<void>;
};

const passAll = (): Fate => 'passes';

/** What follows the last begin of a transaction, in what was sent before and now. */
const sinceBegin = (before: string, sent: string): string => {
  const begin = sent.lastIndexOf('begin');
  return begin < 0 ? before + sent : sent.slice(begin);
};

/** The head of the message with a client's process number, which follows. */
const processHead = Buffer.from([0x4b, 0, 0, 0, 12]);

const disguised = (part: Buffer): Buffer => {
  const at = part.indexOf(processHead);
  if (at < 0) return part;
  const changed = Buffer.from(part);
  changed.writeInt32BE(1_999_999_999, at + processHead.length);
  return changed;
};

const commit = 'commit\0';

/** What shows that a commit has run, or that the server has ended the transaction otherwise. */
const committed = /COMMIT\0|ROLLBACK\0|SERROR\0|SFATAL\0/;

export const startDatabaseProxy = async (databasePort: number): Promise<DatabaseProxy> => {
  const sockets = new Set<Socket>();
  let target = databasePort;
  let fateOf: FateOf = passAll;
  let silent = false;
  let masked = false;
  let drops = false;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };

  const join = (client: Socket): void => {
    const database = connect(target, '127.0.0.1');
    const cut = (): void => {
      client.destroy();
      database.destroy();
    };
    let cutAtAnswer: RegExp | undefined;
    let unheard = '';
    let transaction = '';
    keep(client);
    keep(database);
    client.on('close', cut);
    database.on('close', cut);
    client.on('data', (part) => {
      if (silent) return;
      const sent = part.toString('latin1');
      transaction = sinceBegin(transaction, sent);
      const fate = fateOf(sent, transaction);
      if (fate === 'is lost') {
        cut();
        return;
      }
      if (fate === 'loses its answer') cutAtAnswer = sent.includes(commit) ? committed : /^/;
      database.write(part);
    });
    database.on('data', (part) => {
      if (cutAtAnswer !== undefined) {
        unheard += part.toString('latin1');
        if (cutAtAnswer.test(unheard)) cut();
      } else if (drops && part.toString('latin1', 0, 1) === 'A') return;
      else if (!silent) client.write(masked && typeof part !== 'string' ? disguised(part) : part);
    });
  };

  const server = createServer(join);
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const goAway = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    cutAll();
    await closed;
  };

  const port = await listen(0);
  const close = async (): Promise<void> => {
    if (server.listening) await goAway();
  };
  cleanUpAfterTest(close);
  return {
    port,
    decide: (fate) => {
      fateOf = fate;
    },
    goAway,
    comeBack: async () => {
      await listen(port);
    },
    fallSilent: () => {
      silent = true;
    },
    speak: () => {
      silent = false;
    },
    disguise: () => {
      masked = true;
      cutAll();
    },
    dropNotifications: () => {
      drops = true;
    },
    pointTo: (next) => {
      target = next;
      cutAll();
    },
    close,
  };
};
