/** Measures startup time, and the memory a large catalogue takes once all of it was requested. */
import { productTypes, simCardTypes } from '../src/catalogue/product.ts';
import { ask } from '../test/support/live.ts';
import { residentMegabytes } from '../test/support/memory.ts';
import { serveProcess } from '../test/support/process.ts';
import { catalogueSize, sqliteShop } from './fill.ts';
import { median } from './measure.ts';
import { memoryMb, table } from './report.ts';
import { newFolder, type Running, startGateway } from './resources.ts';

const pages = catalogueSize / 100;
const startMs = 2000;

/** From the spawn to the first answer, on an empty folder. Without a cache it compiles everything. */
const measureStart = async (
  starts: number,
  env: Readonly<Record<string, string>>,
): Promise<number> => {
  const times: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const begin = performance.now();
    const served = await serveProcess(newFolder(), env);
    await (await fetch(`${served.url}/health/ready`)).text();
    times.push(performance.now() - begin);
    await served.stop();
  }
  return Math.round(median(times));
};

/** Requests every page, and as many filters again. */
const walk = async ({ url }: Running, token: string): Promise<void> => {
  for (let page = 1; page <= pages; page += 1) {
    await ask(url, token, `/api/clients/products?page=${page}`);
  }
  for (let index = 0; index < 2 * pages; index += 1) {
    const items = {
      name: `no. ${index % pages}`,
      type: productTypes[index % productTypes.length],
      sim_card_type: simCardTypes[index % simCardTypes.length],
      ...(index < pages ? { categories: 'categories' } : {}),
    };
    await ask(url, token, '/api/filter', { table: 'product', items });
  }
};

const measureMemory = async (): Promise<number> => {
  const { folder, tokens } = await sqliteShop();
  const gateway = await startGateway(folder);
  await walk(gateway, tokens[0] ?? '');
  const megabytes = Math.round(residentMegabytes(gateway.pid));
  await gateway.stop();
  return megabytes;
};

export type Beginning = {
  readonly startMs: number;
  readonly coldStartMs: number;
  readonly memoryMb: number;
};

export const measureBeginning = async (starts: number): Promise<Beginning> => ({
  startMs: await measureStart(starts, {}),
  coldStartMs: await measureStart(starts, { NODE_DISABLE_COMPILE_CACHE: '1' }),
  memoryMb: await measureMemory(),
});

export const beginningTable = (figures: Beginning): string =>
  table([
    ['start and memory', 'measured', 'below'],
    [
      'from the start on an empty folder to the first answer, ms',
      `${figures.startMs}`,
      `${startMs}`,
    ],
    ['the same where nothing is compiled yet, ms', `${figures.coldStartMs}`, `${startMs}`],
    [
      `memory with ${catalogueSize} products, all pages and filters asked for, MB`,
      `${figures.memoryMb}`,
      `${memoryMb}`,
    ],
  ]);
