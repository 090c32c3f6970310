/** Asks a gateway's back office, and measures how long its answers take. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type Ask = (path: string) => Promise<Response>;

const ways = new Map([
  ['', '/search'],
  ['.csv', '/export'],
  ['/totals', '/totals'],
]);

/** Purchase searches go in the body; here they are written as a query string. */
export const askAt = (gateway: string, session: string): Ask => {
  const base = `${gateway}/admin/api`;
  const headers = { cookie: `simgate-admin=${session}`, 'sec-fetch-site': 'same-origin' };
  return async (path) => {
    const [sought, way = '', query = ''] =
      /^purchases(\.csv|\/totals)?(?:\?(.*))?$/.exec(path) ?? [];
    if (sought === undefined) return fetch(`${base}/${path}`, { headers });
    const body = JSON.stringify(Object.fromEntries(new URLSearchParams(query)));
    const json = { ...headers, 'content-type': 'application/json' };
    return fetch(`${base}/purchases${ways.get(way)}`, { method: 'POST', headers: json, body });
  };
};

/** An aborted file may still hold its slot. */
export const whenFree = async (ask: Ask, path: string): Promise<Response> => {
  for (;;) {
    const response = await ask(path);
    if (response.status !== 429) return response;
    await response.text();
    await wait(20);
  }
};

/** Until the first byte of a file, and the last of all else. */
export const timeOf = async (ask: Ask, path: string): Promise<number> => {
  const begun = performance.now();
  const response = await ask(path);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  if (!path.includes('.csv')) {
    await response.text();
    return performance.now() - begun;
  }
  const reader = response.body?.getReader();
  await reader?.read();
  const took = performance.now() - begun;
  await reader?.cancel();
  await (await whenFree(ask, 'purchases.csv?to=2020-01-01')).text();
  return took;
};

/** No rate limit for these requests. */
export const unbounded = (folder: string): Readonly<Record<string, string>> => {
  const file = join(folder, 'simgate.json');
  writeFileSync(file, JSON.stringify({ admin: { rate: null, anonymousRate: null } }));
  return { SIMGATE_CONFIG: file };
};
