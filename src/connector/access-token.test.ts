/** Tests that an access token is shared, kept until it expires, and renewed once where it is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createTokens } from './access-token.ts';
import type { Reply } from './answer-reader.ts';

const answer = (status: number): Reply => ({ kind: 'answer', status, contentType: '', text: '' });

/** An operator that takes one token at a time, and gives tokens for a minute. */
const setUp = () => {
  const clock = manualClock();
  const state = { fetched: 0, valid: 'token 1', gives: true };
  const sent: string[] = [];
  const withToken = createTokens({
    clock,
    fetch: async () => {
      state.fetched += 1;
      return state.gives ? { value: `token ${state.fetched}`, seconds: 60 } : undefined;
    },
    isRefused: ({ status }) => status === 401,
  });
  const send = (): Promise<Reply> =>
    withToken(async (token) => {
      sent.push(token);
      return answer(token === state.valid ? 200 : 401);
    });
  return { clock, state, sent, send, withToken };
};

const statusOf = (reply: Reply): unknown => (reply.kind === 'answer' ? reply.status : reply.kind);

test('many calls share one token, until it is about to expire', async () => {
  const { clock, state, send } = setUp();
  await Promise.all(Array.from({ length: 10 }, send));
  await send();
  assert.equal(state.fetched, 1);
  await clock.advance(55_000);
  state.valid = 'token 2';
  assert.equal(statusOf(await send()), 200);
  assert.equal(state.fetched, 2);
});

test('calls whose token is refused share one renewal, and each is sent once more', async () => {
  const { state, sent, send } = setUp();
  await send();
  state.valid = 'token 2';
  const replies = await Promise.all(Array.from({ length: 5 }, send));
  assert.deepEqual(replies.map(statusOf), [200, 200, 200, 200, 200]);
  assert.equal(state.fetched, 2);
  assert.equal(sent.filter((token) => token === 'token 2').length, 5);
});

test('a call that is refused again is not sent a third time', async () => {
  const { state, sent, send } = setUp();
  state.valid = 'none';
  assert.equal(statusOf(await send()), 401);
  assert.deepEqual(sent, ['token 1', 'token 2']);
});

test('without a token nothing is sent, and that is known', async () => {
  const { state, sent, send } = setUp();
  state.gives = false;
  assert.equal(statusOf(await send()), 'not_sent');
  assert.deepEqual(sent, []);
  state.gives = true;
  state.valid = 'token 2';
  assert.equal(statusOf(await send()), 200, 'the next call asks again');
});

test('where a token is refused and there is no other, the refusal is the answer', async () => {
  const { state, sent, send } = setUp();
  await send();
  state.valid = 'none';
  state.gives = false;
  assert.equal(statusOf(await send()), 401);
  assert.deepEqual(sent, ['token 1', 'token 1']);
});

test('what is no refusal is never sent again', async () => {
  const { withToken } = setUp();
  let sent = 0;
  const reply = await withToken(async () => {
    sent += 1;
    return { kind: 'unknown', detail: 'silence' };
  });
  assert.deepEqual([reply.kind, sent], ['unknown', 1]);
});
