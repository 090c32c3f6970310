/** Measures the reading half: start, memory, pages near and far, and throughput beside a bare server. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { printCatalogue } from '../src/catalogue/file/file.ts';
import { productTypes, simCardTypes } from '../src/catalogue/product.ts';
import { at } from '../test/support/answers.ts';
import { largeCatalogue } from '../test/support/large-catalogue.ts';
import { ask, parsed } from '../test/support/live.ts';
import { residentMegabytes } from '../test/support/memory.ts';
import { emptyFolder, type Served, serveProcess, simgate } from '../test/support/process.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
});

const size = 10_000;
const pages = size / 100;
const connections = 32;
const rounds = options.quick ? 1 : 3;
const wrkSeconds = options.quick ? 2 : 5;
const starts = options.quick ? 3 : 7;
const samples = options.quick ? 300 : 1000;
const limits = { startMs: 2000, memoryMb: 200 } as const;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));

const folders: string[] = [];
const folder = (): string => {
  const made = emptyFolder();
  folders.push(made);
  return made;
};

/** From the spawn to the first answer, on an empty folder. Without a cache it compiles all anew. */
const measureStart = async (env: Readonly<Record<string, string>>): Promise<number> => {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const begin = performance.now();
    const served = await serveProcess(folder(), env);
    await (await fetch(`${served.url}/health/ready`)).text();
    times.push(performance.now() - begin);
    await served.stop();
  }
  return rounded(median(times));
};

const filled = async (): Promise<{ data: string; token: string }> => {
  const data = folder();
  const file = join(data, 'large.json');
  writeFileSync(file, [...printCatalogue(largeCatalogue(size), 'json')].join(''));
  const imported = await simgate(data, ['catalogue', 'import', file]);
  if (imported.status !== 0) throw new Error(imported.err);
  const made = await simgate(data, ['client', 'create', '--name', 'Bench', '--json']);
  return { data, token: String(at(parsed(made.out), 'token')) };
};

const list = '/api/clients/products';

/** Asks for every page, and for as many filters again. */
const walk = async (served: Served, token: string): Promise<void> => {
  for (let page = 1; page <= pages; page += 1) {
    await ask(served.url, token, `${list}?page=${page}`);
  }
  for (let index = 0; index < 2 * pages; index += 1) {
    const items = {
      name: `no. ${index % pages}`,
      type: productTypes[index % productTypes.length],
      sim_card_type: simCardTypes[index % simCardTypes.length],
      ...(index < pages ? { categories: 'categories' } : {}),
    };
    await ask(served.url, token, '/api/filter', { table: 'product', items });
  }
};

/** How long one request takes on a connection that is there already, to the last byte. */
const timeOne = (url: string, token: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const begin = performance.now();
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.on('data', () => {}).on('end', () => resolve(performance.now() - begin));
    }).on('error', reject);
  });

/** The median of each address, asked in turns, so that a busy moment meets all of them. */
const compareOne = async (urls: readonly string[], token: string): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[][] = urls.map(() => []);
  for (let count = 0; count < samples; count += 1) {
    // There and back: a server still writes its log when the next request comes.
    const turns = [...urls.entries()];
    for (const [index, url] of count % 2 === 0 ? turns : turns.toReversed()) {
      times[index]?.push(await timeOne(url, token, agent));
    }
  }
  agent.destroy();
  return times.map(median);
};

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

const wrkArguments = ['-t1', `-c${connections}`, `-d${wrkSeconds}s`];

/** Requests a second by `wrk` where it is installed, else by as many connections of our own. */
const throughput = async (url: string, token: string): Promise<number> => {
  if (!hasWrk) return ownThroughput(url, token);
  const header = `Authorization: Bearer ${token}`;
  const text = execFileSync('wrk', [...wrkArguments, '-H', header, url], { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
};

const ownThroughput = async (url: string, token: string): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const begin = performance.now();
  let done = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begin < wrkSeconds * 1000) {
      await timeOne(url, token, agent);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  agent.destroy();
  return (done * 1000) / (performance.now() - begin);
};

/** Medians of several rounds, in each of which every address has its turn. */
const compareThroughput = async (urls: readonly string[], token: string): Promise<number[]> => {
  const rates: number[][] = urls.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, url] of urls.entries()) {
      rates[index]?.push(await throughput(url, token));
    }
  }
  return rates.map(median);
};

const bareScript = `
  const body = require('node:fs').readFileSync(0);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length };
  const server = require('node:http').createServer((request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** A process of its own, as the gateway is, that sends the same bytes and does nothing else. */
const bareServer = async (body: string): Promise<{ url: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, ['-e', bareScript], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  const printed: unknown[] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(printed[0]).trim()}/`, child };
};

const measureRunning = async () => {
  const { data, token } = await filled();
  const served = await serveProcess(data);
  await walk(served, token);
  const memoryMb = rounded(residentMegabytes(served.child.pid));
  const [first, last] = [`${served.url}${list}?page=1`, `${served.url}${list}?page=${pages}`];
  const bare = await bareServer((await ask(served.url, token, `${list}?page=1`)).text);
  // Once for nothing: the compilers of all three have to see the load first.
  await compareOne([first, last, bare.url], token);
  const [oneFirst = 0, oneLast = 0, oneBare = 0] = await compareOne([first, last, bare.url], token);
  const [manyFirst = 0, manyLast = 0, manyBare = 0] = await compareThroughput(
    [first, last, bare.url],
    token,
  );
  const memoryUnderLoadMb = rounded(residentMegabytes(served.child.pid));
  bare.child.kill();
  await served.stop();
  return {
    memoryMb,
    memoryUnderLoadMb,
    onePage1Ms: rounded(oneFirst, 3),
    onePage100Ms: rounded(oneLast, 3),
    oneBareMs: rounded(oneBare, 3),
    onePage100ToPage1: rounded(oneLast / oneFirst, 2),
    page1PerSecond: rounded(manyFirst),
    page100PerSecond: rounded(manyLast),
    barePerSecond: rounded(manyBare),
    page100ToPage1: rounded(manyLast / manyFirst, 2),
    listToBare: rounded(manyFirst / manyBare, 2),
  };
};

const measure = async () => {
  const startMs = await measureStart({});
  const coldStartMs = await measureStart({ NODE_DISABLE_COMPILE_CACHE: '1' });
  return { startMs, coldStartMs, ...(await measureRunning()) };
};

const tool = hasWrk ? 'wrk' : 'own';

const about: Readonly<Record<keyof Awaited<ReturnType<typeof measure>>, string>> = {
  startMs: 'start on an empty folder to the first answer, ms (below 2000)',
  coldStartMs: 'the same where nothing is compiled yet, ms (below 2000)',
  memoryMb: `memory with ${size} products, all pages and filters asked for, MB (below 200)`,
  memoryUnderLoadMb: 'memory after the load below, MB (below 200)',
  onePage1Ms: 'page 1, one at a time, median ms',
  onePage100Ms: 'page 100, one at a time, median ms',
  oneBareMs: 'bare server with the same bytes, one at a time, median ms',
  onePage100ToPage1: 'page 100 to page 1, ratio of the times',
  page1PerSecond: `page 1, ${connections} connections (${tool}), requests a second`,
  page100PerSecond: `page 100, ${connections} connections (${tool}), requests a second`,
  barePerSecond: `bare server, ${connections} connections (${tool}), requests a second`,
  page100ToPage1: 'page 100 to page 1, ratio of the rates',
  listToBare: 'list to bare server, ratio of the rates',
};

try {
  const figures = await measure();
  const rows = Object.entries(about).map(
    ([name, text]) => [text, String(at(figures, name))] as const,
  );
  const width = Math.max(...rows.map(([text]) => text.length));
  for (const [text, value] of rows) console.log(`${text.padEnd(width)}  ${value.padStart(8)}`);
  if (options.out !== undefined) {
    mkdirSync(dirname(options.out), { recursive: true });
    const where = { node: process.version, processors: cpus().length, quick: options.quick, tool };
    writeFileSync(options.out, `${JSON.stringify({ ...where, ...figures }, null, 2)}\n`);
  }
  const { startMs, coldStartMs, memoryMb, memoryUnderLoadMb } = figures;
  const slow = Math.max(startMs, coldStartMs) >= limits.startMs;
  const large = Math.max(memoryMb, memoryUnderLoadMb) >= limits.memoryMb;
  if (slow) console.error(`The start takes ${limits.startMs} ms or more.`);
  if (large) console.error(`The server takes ${limits.memoryMb} MB or more.`);
  if (slow || large) process.exitCode = 1;
} finally {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
}
