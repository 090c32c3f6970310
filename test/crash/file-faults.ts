/** Restores an earlier state of the database file: by `simgate restore`, or manually. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Draw } from '../simulation/draw.ts';
import type { Depositor } from './deposits.ts';
import type { Life } from './gateway.ts';
import type { ReadPurchases } from './judge.ts';
import type { Person } from './person.ts';
import type { Shop } from './shop.ts';
import { beginHistory, type RunCommand, sellMore } from './world.ts';

export type FileStruck = {
  readonly folder: string;
  readonly dataDir: string;
  readonly draw: Draw;
  readonly shop: Shop;
  readonly read: ReadPurchases;
  readonly command: RunCommand;
  readonly person: Person;
  readonly money: Depositor;
  readonly start: () => Promise<Life>;
};

const succeed = async (command: RunCommand, ...args: readonly string[]): Promise<void> => {
  const { status, err } = await command(...args);
  if (status !== 0) throw new Error(`simgate ${args.join(' ')}: ${err}`);
};

const end = async (life: Life, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  life.child.kill(signal);
  await life.ended;
};

/** Starts on the restored file, and waits until it sells. */
const goOn = async (struck: FileStruck, enterAgain: () => Promise<void>): Promise<void> => {
  const { person, shop } = struck;
  await beginHistory(struck);
  const mark = shop.all.length;
  await enterAgain();
  const life = await struck.start();
  await person.seeThrough(mark, 0);
  await end(life, 'SIGKILL');
};

/** A backup taken under load is restored while buyers go on. */
export const restoreBackup = async (struck: FileStruck): Promise<void> => {
  const { command, draw, shop, money } = struck;
  const backup = join(struck.folder, 'backup.db');
  const life = await struck.start();
  await succeed(command, 'backup', backup, '--force', '--no-check');
  const enterAgain = await money.deposit();
  await sellMore(shop, draw);
  await end(life, draw.pick(['SIGTERM', 'SIGKILL']));
  await succeed(command, 'restore', backup, '--force');
  await goOn(struck, enterAgain);
};

const files = ['simgate.db', 'simgate.db-wal', 'simgate.db-shm'];

const copyFiles = (from: string, to: string): void => {
  for (const name of files) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
};

/** Files copied while the server was stopped are put back manually. */
export const putBackFiles = async (struck: FileStruck): Promise<void> => {
  const { dataDir, draw, shop, money, person } = struck;
  const aside = join(struck.folder, 'aside');
  mkdirSync(aside, { recursive: true });
  await end(await struck.start(), draw.pick(['SIGTERM', 'SIGKILL']));
  copyFiles(dataDir, aside);
  const before = await person.restores();
  const life = await struck.start();
  const enterAgain = await money.deposit();
  await sellMore(shop, draw);
  await end(life, 'SIGTERM');
  copyFiles(aside, dataDir);
  await goOn(struck, enterAgain);
  if ((await person.restores()) === before) {
    person.faults.push('files were put back manually, and the gate stayed open');
  }
};
