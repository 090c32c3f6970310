/** Gives the program one more migration. Loaded before it, by `--import`, with the folder of all in its address. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const own = new URL('../../migrations/', import.meta.url).href;
const newer = new URL(import.meta.url).searchParams.get('folder') ?? '';

/** Wraps a method that reads what its first argument names. */
const redirect = (method: 'readdirSync' | 'readFileSync'): void => {
  const original: unknown = Reflect.get(fs, method);
  if (typeof original !== 'function') throw new Error(`node:fs has no ${method}.`);
  const redirected = (place: unknown, ...others: unknown[]): unknown => {
    const isOwn = place instanceof URL && place.href.startsWith(own);
    const there = isOwn ? new URL(place.href.slice(own.length), newer) : place;
    return Reflect.apply(original, fs, [there, ...others]);
  };
  Reflect.set(fs, method, redirected);
};

redirect('readdirSync');
redirect('readFileSync');
syncBuiltinESMExports();
