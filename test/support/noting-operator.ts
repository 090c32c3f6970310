/** Starts an operator on this machine that records the headers of every call. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { at } from './answers.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { parsed } from './live.ts';

export type Call = { readonly call: string; readonly headers: IncomingHttpHeaders };

/** An operator that records its calls; the answer to its first order after `loses` is lost. */
export const startOperator = async () => {
  const calls: Call[] = [];
  let loses = false;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await textOf(incoming);
    const [, kind = '', ref = ''] = (incoming.url ?? '').split(/[/?]/);
    if (kind !== 'reports') {
      const call = ref === '' || kind === 'offers' ? `${incoming.method} ${kind}` : kind;
      calls.push({ call, headers: incoming.headers });
    }
    if (incoming.method === 'POST' && loses) {
      loses = false;
      incoming.socket.destroy();
      return;
    }
    const order: unknown = body === '' ? { ref } : parsed(body);
    const answers: Readonly<Record<string, unknown>> = {
      orders: { status: 'delivered', ref: at(order, 'ref') },
      subscribers: { status: 'subscriber', sim_type: 'credit' },
      offers: { status: 'ok', message: 'Here.', transaction_id: 'tx', offers: [] },
      reports: { reports: [], cursor: '' },
    };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(answers[kind]));
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  cleanUpAfterTest(async () => stop());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    loseNextAnswer: () => {
      loses = true;
    },
    stop,
  };
};

export type NotingOperator = Awaited<ReturnType<typeof startOperator>>;
