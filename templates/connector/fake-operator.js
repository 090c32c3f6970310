/** Simulates my-operator for tests: follows its document, keeps a book, and misbehaves by number. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

export const credentials = { account: 'A-100', token: 'test-token' };

/** What the last two digits of a number make it do. */
const rejectedEndings = new Map([
  ['90', 'BARRED'],
  ['91', 'NOT_OURS'],
]);

const send = (response, body) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Orders by reference. The second one under a reference is not delivered again. */
const createBook = () => {
  const book = new Map();
  return {
    entryOf: (reference) => book.get(reference),
    take: ({ reference, msisdn }) => {
      const known = book.get(reference);
      if (known !== undefined) return known;
      const code = rejectedEndings.get(msisdn.slice(-2));
      const entry =
        code === undefined
          ? { state: 'delivered', reference, receipt: `R-${book.size + 1}` }
          : { state: 'rejected', reference, code };
      book.set(reference, entry);
      return entry;
    },
  };
};

const answerOrder = async (book, request, response) => {
  const order = await json(request);
  const ending = order.msisdn.slice(-2);
  // The request is lost: the operator never sees it, and does not answer.
  if (ending === '94') return;
  const entry = book.take(order);
  // The answer is lost.
  if (ending === '93') return;
  if (ending === '96') response.end('<html>Please log in.</html>');
  else send(response, entry);
};

export const startFakeOperator = async () => {
  const book = createBook();
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${credentials.token}`) {
      response.writeHead(401).end();
    } else if (request.method === 'POST') {
      answerOrder(book, request, response).catch(() => response.destroy());
    } else {
      const reference = String(request.url).split('/').at(-1);
      send(response, book.entryOf(reference) ?? { state: 'none', reference });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** How often something was delivered under a reference. */
    deliveries: (reference) => (book.entryOf(reference)?.state === 'delivered' ? 1 : 0),
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
