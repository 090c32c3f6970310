/** Tests which bytes count as a plain request, and that Node parses each one identically. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { parseFastRequest } from './request.ts';

const read = (text: string) => parseFastRequest(Buffer.from(text, 'latin1'));

const list = 'GET /list?page=2 HTTP/1.1\r\nHost: a:80\r\n';

describe('A plain request', () => {
  test('is read with its method, address, headers and body', () => {
    const request = read(
      'POST /buy HTTP/1.1\r\nhOST:a\r\nAuthorization: \t Bearer x y \t\r\nX-Other:\r\nContent-Type: text/plain\r\ncontent-length: 4\r\nConnection: Keep-Alive\r\nIdempotency-Key: k\r\nX-Request-ID: r\r\nTraceParent: t\r\n\r\n\xdb\xb1\r\n',
    );
    const { method, url, headers, body } = request ?? assert.fail();
    assert.deepEqual([method, url], ['POST', '/buy']);
    assert.equal(headers.host, 'a');
    assert.equal(headers.authorization, 'Bearer x y');
    assert.equal(headers['content-type'], 'text/plain');
    assert.equal(headers['idempotency-key'], 'k');
    assert.equal(headers['x-request-id'], 'r');
    assert.equal(headers['traceparent'], 't');
    assert.deepEqual(body, Buffer.from('\xdb\xb1\r\n', 'latin1'));
    assert.deepEqual(read(`${list}\r\n`)?.body, Buffer.alloc(0));
  });

  const others: Readonly<Record<string, string>> = {
    nothing: '',
    'half a head': list,
    'a head without its last line break': `${list}A: b\r\n\r`,
    'half a body': `${list}Content-Length: 2\r\n\r\nx`,
    'more than its body': `${list}Content-Length: 2\r\n\r\nxyz`,
    'a body of unknown length': `${list}\r\nx`,
    'a second request after the first': `${list}\r\n${list}\r\n`,
    'a length told twice': `${list}Content-Length: 1\r\nContent-Length: 1\r\n\r\nx`,
    'a length with a sign': `${list}Content-Length: +1\r\n\r\nx`,
    'a length with a nought before it': `${list}Content-Length: 01\r\n\r\nx`,
    'a length of nothing': `${list}Content-Length: 0\r\n\r\n`,
    'a length with a blank in its name': `${list}Content-Length : 1\r\n\r\nx`,
    chunks: `${list}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'chunks and a length': `${list}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'a body that is packed': `${list}Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx`,
    'an expectation': `${list}Expect: 100-continue\r\n\r\n`,
    'an upgrade': `${list}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
    'a connection that ends with it': `${list}Connection: close\r\n\r\n`,
    'no host': 'GET / HTTP/1.1\r\nA: b\r\n\r\n',
    'two hosts': `${list}Host: b\r\n\r\n`,
    'two tokens': `${list}Authorization: a\r\nAuthorization: b\r\n\r\n`,
    'two keys': `${list}Idempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n`,
    'two ids of its own': `${list}X-Request-Id: a\r\nX-Request-Id: b\r\n\r\n`,
    'two traces': `${list}Traceparent: a\r\nTraceparent: b\r\n\r\n`,
    'a folded header': `${list}A: b\r\n c\r\n\r\n`,
    'a line that ends in half': `${list}A: b\nContent-Length: 1\r\n\r\nx`,
    'a return within a line': `${list}A: b\rContent-Length: 1\r\n\r\nx`,
    'a header without a name': `${list}: b\r\n\r\n`,
    'a header without a colon': `${list}A\r\n\r\n`,
    'a header beyond ASCII': `${list}A: \xe9\r\n\r\n`,
    'a nought byte': `${list}A: \0\r\n\r\n`,
    'another method': 'PUT / HTTP/1.1\r\nHost: a\r\n\r\n',
    'another version': 'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
    'an address with a host': 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'an address with a blank': 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
    'a line before it': `\r\n${list}\r\n`,
    'more headers than any client needs': `${list}${'A: b\r\n'.repeat(50)}\r\n`,
    'more bytes than a plain request has': `${list}A: ${'b'.repeat(16_384)}\r\n\r\n`,
  };
  for (const [name, text] of Object.entries(others)) {
    test(`is not ${name}`, () => assert.equal(read(text), undefined));
  }
});

type Heard = {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

describe('Any accepted plain request', () => {
  let server: Server;
  let heard: Heard[] = [];
  before(async () => {
    server = createServer({ requireHostHeader: false }, (request, response) => {
      const { method, url, headers } = request;
      void buffer(request).then((body) => {
        heard.push({ method, url, headers, body });
        return response.end();
      });
    });
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
  });
  after(() => server.close());

  /** Node's reading of bytes after which nothing comes. */
  const readByNode = async (bytes: Buffer): Promise<readonly Heard[]> => {
    heard = [];
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect(port, '127.0.0.1');
    socket.end(bytes);
    await buffer(socket).catch(() => undefined);
    return heard;
  };

  const token = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,8}$/);
  const name = fc.oneof(
    { weight: 2, arbitrary: token },
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        'Host',
        'Content-Length',
        'content-length',
        'Connection',
        'Transfer-Encoding',
        'Content-Type',
        'Idempotency-Key',
        'X-Request-Id',
        'traceparent',
        'Authorization',
        'If-None-Match',
        'Expect',
      ),
    },
  );
  const value = fc.oneof(
    fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,12}$/),
    fc.constantFrom(
      'a',
      '3',
      ' 3',
      '3 ',
      '03',
      '+3',
      '3,3',
      '0x3',
      'keep-alive',
      'close',
      'chunked',
      'a\n',
      'a\r',
    ),
  );
  const oddLine = fc.tuple(
    name,
    fc.constantFrom(':', ': ', ' : ', ':\t', ''),
    value,
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r\n ', ''),
  );
  const line = fc.oneof(
    { weight: 1, arbitrary: oddLine },
    { weight: 4, arbitrary: fc.tuple(token, fc.constant(': b\r\n')) },
  );
  const framed = fc.constantFrom(
    ['', ''],
    ['Content-Length: 3\r\n', 'abc'],
    ['Content-Length: 4\r\n', '\r\n\r\n'],
    ['Content-Length: 2\r\n', 'abc'],
    ['', 'GET / HTTP/1.1\r\nHost: b\r\n\r\n'],
  );
  const message = fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'get', 'PUT'),
    url: fc.oneof(
      fc.constantFrom('/', '/list?a=b#c', '*', '//x'),
      fc.stringMatching(/^\/[\x20-\x7f\xa0]{0,8}$/),
    ),
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/1.1 '),
    lines: fc.array(line, { maxLength: 5 }),
    framed,
  });

  test('is one request to Node, too, and the same one', { timeout: 120_000 }, async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(message, async ({ method, url, version, lines, framed: [length, body] }) => {
        const head = ['Host: a\r\n', ...lines.flat(), length].join('');
        const bytes = Buffer.from(`${method} ${url} ${version}\r\n${head}\r\n${body}`, 'latin1');
        const request = parseFastRequest(bytes);
        if (request === undefined) return;
        plain += 1;
        const [one, ...more] = await readByNode(bytes);
        assert.deepEqual(more, []);
        assert.ok(one !== undefined, JSON.stringify(bytes.toString('latin1')));
        assert.deepEqual([request.method, request.url], [one.method, one.url]);
        assert.deepEqual(request.body, one.body);
        for (const [known, told] of Object.entries(request.headers)) {
          assert.equal(told, one.headers[known], known);
        }
      }),
      { numRuns: 5000 },
    );
    assert.ok(plain > 200, `only ${plain} of them were plain`);
  });
});
