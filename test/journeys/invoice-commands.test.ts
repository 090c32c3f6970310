/** Tests the commands for invoices: settings, a month billed once, its CSV, a credit note, and verification. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { at } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

const bought = Date.UTC(2025, 11, 15);

describe('The commands for invoices', { timeout: 480_000 }, () => {
  it('bill a month once, show and credit it, and verify all', async () => {
    const data = folder();
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'Shop', '--balance', '9000', '--json'),
    );
    const client = String(at(made, 'id'));
    const posting = `insert into postings (client_id, seq, kind, from_account, to_account, amount,
      available_after, held_after, purchase_id, at) values (?, ?, ?, ?, ?, 1100, 7900, ?, 'p', ?)`;
    await runSql(data, posting, client, 2, 'hold', 'available', 'held', 1100, bought);
    await runSql(data, posting, client, 3, 'capture', 'held', 'sales', 0, bought);
    // The deposit of the beginning comes before them.
    await runSql(data, 'update postings set at = ? where client_id = ? and seq = 1', 1, client);
    const books = 'update accounts set available = 7900, seq = 3 where client_id = ?';
    await runSql(data, books, client);

    const terms = ['--tax-percent', '10', '--seller-name', 'Seller Ltd.'];
    assert.match(await done(data, 'settings', 'change', ...terms), /^tax-percent +10$/m);
    const create = ['invoice', 'create', '--month', '2025-12'] as const;
    assert.match(await done(data, ...create), /^1 +2025-12 +Shop +1 +0 +1100 +100$/m);
    assert.match(await done(data, ...create), /^New: 0\. Made before: 1\.$/m);
    assert.match(
      await done(data, 'invoice', 'show', '1', '--csv'),
      new RegExp(`^1,${client},2025-12,0,,1,1100,0,1100,0,0,1100,,`, 'm'),
    );
    const credit = ['invoice', 'credit', '1', '--reason', 'a wrong price', '--amount'] as const;
    assert.equal(await done(data, ...credit, '100'), 'Credit note 1: 100.\n');
    assertSentence(await simgate(data, [...credit, '1001']), /less left than that/);
    assert.equal(at(parsed(await done(data, 'invoice', 'list', '--json')), 0, 'credited'), 100);
    assertSentence(await simgate(data, ['invoice', 'show', '7']), /There is no invoice 7\./);
    // The purchase of these postings is missing, which is another problem.
    const found = parsed((await simgate(data, ['verify', '--json'])).out);
    assert.equal(at(found, 'invoices'), 1);
    assert.doesNotMatch(JSON.stringify(at(found, 'problems')), /nvoice|redit note/);
  });
});
