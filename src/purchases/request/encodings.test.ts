/** Tests that form, multipart and JSON bodies give the same fields, and that malformed ones are refused. */
import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../../lib/errors.ts';
import { collectBody, readBody } from './encodings.ts';

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

const codeOf = async (read: Promise<unknown>): Promise<string> => {
  try {
    return `read ${JSON.stringify(await read)}`;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error.code;
  }
};

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'ش', ' ', '&', '='), minLength: 1 });
// By its standard, a form parser normalizes line breaks, so the values have none.
const value = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text));
const fields = fc.dictionary(name, value, { minKeys: 1, maxKeys: 6 });

test('the same fields are equal as a form, as multipart and as JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fields, async (sent) => {
      const entries = { ...sent };
      const asForm = await readBody(Buffer.from(new URLSearchParams(entries).toString()), form);
      assert.deepEqual({ ...asForm }, entries);
      const asJson = await readBody(Buffer.from(JSON.stringify(entries)), `${json}; charset=utf-8`);
      assert.deepEqual({ ...asJson }, entries);
      const data = new FormData();
      for (const [key, text] of Object.entries(entries)) data.append(key, text);
      const multipart = new Response(data);
      const kind = multipart.headers.get('content-type') ?? '';
      const asParts = await readBody(Buffer.from(await multipart.arrayBuffer()), kind);
      assert.deepEqual({ ...asParts }, entries);
    }),
    { numRuns: 50 },
  );
});

test('the last of two fields of one name wins, and the media type is case-insensitive', async () => {
  assert.deepEqual({ ...(await readBody(Buffer.from('a=1&a=2'), form.toUpperCase())) }, { a: '2' });
  assert.deepEqual({ ...(await readBody(Buffer.from('{"a":1,"a":2}'), json)) }, { a: 2 });
});

test('an empty body of any type has no fields, and so has an empty JSON list, as PHP writes it', async () => {
  for (const kind of [form, json, 'multipart/form-data', 'text/plain', '']) {
    assert.deepEqual(await readBody(Buffer.alloc(0), kind), {});
  }
  assert.deepEqual(await readBody(Buffer.from('[]'), json), {});
  assert.deepEqual(await readBody(Buffer.from(' \n'), json), {});
});

test('a body that contradicts its type is malformed, and other types are unsupported', async () => {
  for (const text of ['{', '1', 'null', '"a"', '[1]', '{"a":1}}']) {
    assert.equal(await codeOf(readBody(Buffer.from(text), json)), 'MALFORMED_REQUEST', text);
  }
  for (const kind of [form, json]) {
    assert.equal(await codeOf(readBody(Buffer.from([0xff, 0xfe]), kind)), 'MALFORMED_REQUEST');
  }
  const parts = readBody(Buffer.from('nonsense'), 'multipart/form-data; boundary=x');
  assert.equal(await codeOf(parts), 'MALFORMED_REQUEST');
  for (const kind of ['text/plain', '', 'application/jsonp']) {
    assert.equal(await codeOf(readBody(Buffer.from('a=1'), kind)), 'UNSUPPORTED_MEDIA_TYPE');
  }
});

test('a field called __proto__ is an ordinary field', async () => {
  const read = await readBody(Buffer.from('{"__proto__":{"price":1}}'), json);
  assert.equal(read['price'], undefined);
  assert.ok(Object.hasOwn(read, '__proto__'));
});

test('a body is read up to its limit and not a byte further', async () => {
  const sent = (bytes: number): IncomingMessage => {
    const message = new IncomingMessage(new Socket());
    for (let left = bytes; left > 0; left -= 10)
      message.push(Buffer.alloc(Math.min(left, 10), 'a'));
    message.push(null);
    return message;
  };
  assert.equal((await collectBody(sent(0), 100)).length, 0);
  assert.equal((await collectBody(sent(100), 100)).length, 100);
  assert.equal(await codeOf(collectBody(sent(101), 100)), 'PAYLOAD_TOO_LARGE');
});
