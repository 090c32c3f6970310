/** Measures how much memory a statement of a million entries takes: a server process, a quick reader and a slow one. */
import { readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { sampleProduct } from '../test/contract/sample-product.ts';
import { peakMegabytesWhile, residentMegabytes } from '../test/support/memory.ts';
import { emptyFolder } from '../test/support/process.ts';
import { readStatementFile } from '../test/support/statement-file.ts';
import { fillPast, fillShop } from './growth-fill.ts';
import { endServers, serve } from './serve.ts';

// Each sale is two entries; the deposit is one more.
const sales = 500_000;
const entries = 2 * sales + 1;
const price = 10_000;
const mostMegabytes = 50;

const readers: Readonly<Record<string, { readonly pauseMs: number }>> = {
  quick: { pauseMs: 0 },
  slow: { pauseMs: 20 },
};

const closingOf = (data: string): string => {
  const database = new DatabaseSync(databaseFile(data), { readOnly: true });
  const row = database.prepare('select available, held from accounts').get();
  database.close();
  const [available, held] = [Number(row?.['available']), Number(row?.['held'])];
  return `,,closing,,,,${available},${held},${available + held},,`;
};

const data = emptyFolder();
try {
  const product = sampleProduct({ id: 1, price });
  const tokens = await fillShop({ data }, { products: [product], clients: 1 });
  await fillPast({ data }, { count: sales, product: 1, operator: 1, price });
  const closing = closingOf(data);
  const served = await serve(data);
  const source = { url: served.url, token: readFileSync(tokens, 'utf8') };
  // Of a fresh server: what a first request compiles and allocates counts too.
  const before = residentMegabytes(served.pid);
  for (const [name, pace] of Object.entries(readers)) {
    const begun = performance.now();
    let file = { lines: 0, bytes: 0, last: '' };
    const peak = await peakMegabytesWhile(served.pid, async () => {
      file = await readStatementFile(source, pace);
    });
    const seconds = (performance.now() - begun) / 1000;
    const isWhole = file.lines === entries + 3 && file.last === closing;
    const isSmall = peak - before < mostMegabytes;
    if (!isWhole || !isSmall) process.exitCode = 1;
    console.log(
      [
        `${name} reader: ${entries} entries, ${(file.bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
        `memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} at most`,
        isSmall ? 'within 50 MB more' : 'MORE THAN 50 MB MORE',
        isWhole
          ? 'whole, and the closing is the ledger’s'
          : `NOT WHOLE: ${file.lines}, ${file.last}`,
      ].join('; '),
    );
  }
  await served.stop();
} finally {
  endServers();
  rmSync(data, { recursive: true, force: true });
}
