/** Sends requests to a server process, and waits for changes that it notices on its own. */
import assert from 'node:assert/strict';
import { setTimeout as rest } from 'node:timers/promises';

export const parsed = (text: string): unknown => JSON.parse(text);

export type Asked = { readonly status: number; readonly body: unknown; readonly text: string };

/** Sends one request with a token; with a body it is a POST of JSON. */
export const ask = async (
  url: string,
  token: string,
  path: string,
  json?: unknown,
): Promise<Asked> => {
  const response = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text), text };
};

// Far more than a busy machine needs: it separates "late" from "never".
const patienceMs = 60_000;

/** Waits until a condition holds; fails if it never does. */
export const eventually = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `It never came about that ${what}.`);
    await rest(50);
  }
};
