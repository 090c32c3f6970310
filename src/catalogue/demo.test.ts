/** Tests that the demo catalogue covers everything a first start promises. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { demoCatalogue } from './demo.ts';
import { printCatalogue, readCatalogueFile } from './file/file.ts';
import { productTypes, simCardTypes } from './product.ts';

const products = demoCatalogue();

describe('the demo catalogue', () => {
  it('is a file that can be imported unchanged', () => {
    const text = readFileSync(new URL('demo.json', import.meta.url), 'utf8');
    assert.deepEqual(readCatalogueFile(text, 'json'), { products, problems: [] });
  });

  it('is a catalogue without problems, in both formats', () => {
    for (const format of ['json', 'csv'] as const) {
      const text = [...printCatalogue(products, format)].join('');
      assert.deepEqual(readCatalogueFile(text, format), { products, problems: [] });
    }
  });

  it('is the same at every call', () => {
    assert.deepEqual(demoCatalogue(), products);
  });

  it('has more than one page of products', () => {
    assert.ok(products.length >= 120, `${products.length} products`);
  });

  it('sells packages and top-ups of every operator for both kinds of SIM', () => {
    for (const operator of [1, 2, 3, 4, 5]) {
      for (const sim of simCardTypes) {
        const own = products.filter(
          (it) => it.operator_id === operator && it.sim_card_type === sim,
        );
        const types = new Set(own.map((product) => product.type));
        assert.ok(types.has('cell_internet') && types.has('cell_direct_charge'));
        assert.ok(own.some((product) => product.second_price !== null));
      }
    }
    const types = new Set(products.map((product) => product.type));
    assert.deepEqual(types, new Set(productTypes));
  });

  it('has packages for 1, 3, 7, 30, 90 and 365 days', () => {
    const periods = new Set(products.map((product) => product.period));
    for (const days of [1, 3, 7, 30, 90, 365]) assert.ok(periods.has(days), `${days} days`);
  });

  it('has the personal offers of operator 2, prepaid as 510 and postpaid as 511', () => {
    const found = products.filter((product) => product.id === 510 || product.id === 511);
    assert.deepEqual(
      found.map(({ id, operator_id, type, sim_card_type }) => ({
        id,
        operator_id,
        type,
        sim_card_type,
      })),
      [
        { id: 510, operator_id: 2, type: 'cell_internet', sim_card_type: 'credit' },
        { id: 511, operator_id: 2, type: 'cell_internet', sim_card_type: 'permanent' },
      ],
    );
  });

  it('prices everything but the personal offers', () => {
    const free = products.filter((product) => product.price === 0);
    assert.deepEqual(
      free.map((product) => product.id),
      [510, 511],
    );
  });

  it('has a product that is switched off and some with a profile', () => {
    assert.ok(products.some((product) => product.status === 0));
    assert.ok(products.some((product) => product.profile_id !== undefined));
  });

  it('names everything in Persian with Persian digits, and in English', () => {
    for (const { name, name_en } of products) {
      assert.match(name, /[\u0600-\u06FF]/);
      assert.doesNotMatch(name, /\d/);
      assert.match(name_en ?? '', /^[\x20-\x7E]+$/);
    }
  });

  it('places every product at a sub-category that its category has', () => {
    for (const product of products) {
      assert.ok(product.categories.length > 0);
      for (const { data, pivot } of product.categories) {
        assert.ok(data.includes(`{"id":${pivot.address},"text":`), pivot.address);
      }
    }
  });
});
