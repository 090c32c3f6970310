/** Tests that the simulation catches each mutation of the purchase code. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openMutants } from './mutants.ts';
import { mutations } from './mutations.ts';

// Each would load and warm up the program on its own.
const threads = 1;
const mutants = openMutants(threads);
after(mutants.close);

describe('the simulation notices a purchase code that', { concurrency: threads }, () => {
  for (const mutation of mutations) {
    test(mutation.name, async () => {
      // A seed's result does not depend on those before it: one that has shown the fault is tried first.
      const { seed = 1 } = mutation;
      const first = await mutants.attempt({ mutation, from: seed, seeds: 1 });
      const found =
        first.caught ?? (await mutants.attempt({ mutation, from: 1, seeds: 1000 })).caught;
      assert.ok(found !== null, `within 1,000 seeds nothing "${mutation.breaks}"`);
      assert.ok(found.text.includes(mutation.breaks), found.text);
    });
  }
});

test('a mutation that matches nothing is an error, not a success', async () => {
  const place = { file: 'purchases/buy.ts', find: 'no such text', replace: '' };
  const mutation = { name: '', breaks: '', ...place };
  await assert.rejects(mutants.attempt({ mutation, from: 1, seeds: 1 }), /has 0 places to change/);
});

test('a mutation that only raises errors is not caught', async () => {
  const mutation = {
    name: '',
    breaks: '',
    file: 'purchases/judge.ts',
    find: '  const product = deps.catalogue().product(fields.productId);',
    replace: `  const product = deps.catalogue().product(fields.productId);
  if (product !== undefined) throw new Error('broken');`,
  };
  const { caught, errors } = await mutants.attempt({ mutation, from: 1, seeds: 2 });
  assert.deepEqual([caught, errors], [null, 2]);
});

test('a mutation that breaks something else is not caught', async () => {
  const [mutation] = mutations;
  assert.ok(mutation !== undefined);
  const other = { ...mutation, breaks: 'is something else' };
  const { caught } = await mutants.attempt({ mutation: other, from: 1, seeds: 2 });
  assert.equal(caught, null);
});

test('there are at least forty, each with its own name', () => {
  assert.ok(mutations.length >= 40);
  for (const { name, breaks } of mutations) assert.match(breaks, /^\D{8,}$/, name);
  assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length);
});
