/** Runs a bare server that answers with fixed bytes: the lower bound of what any answer costs. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** By path: the header lines, names and values in turn, and the body in base64. */
const AnswersSchema = Type.Record(
  Type.String(),
  Type.Object({ headers: Type.Array(Type.String()), body: Type.String() }),
);

export type Answers = Static<typeof AnswersSchema>;

const serve = async (): Promise<void> => {
  const given: unknown = JSON.parse(await text(process.stdin));
  const answers = new Map(
    Object.entries(Value.Parse(AnswersSchema, given)).map(([path, { headers, body }]) => [
      path,
      { headers, body: Buffer.from(body, 'base64') },
    ]),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    const send = (): void => void response.writeHead(200, answer.headers).end(answer.body);
    if (request.method === 'GET') {
      send();
      return;
    }
    let read = '';
    request.setEncoding('utf8').on('data', (part: string) => (read += part));
    request.on('end', () => {
      if (read === '') throw new Error('A request without a body.');
      send();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
  });
};

if (process.argv[1] === import.meta.filename) await serve();
