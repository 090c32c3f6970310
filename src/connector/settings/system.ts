/** Identifies the system that settings lead to, by a short digest. Pure. */
import { hash } from 'node:crypto';
import type { Connector } from '../connector.ts';
import type { Settings } from './check.ts';
import { publicSettingsOf } from './mask.ts';

// 96 bits: two systems of one operator never share a digest, and every purchase stores one.
const digestLength = 16;

/** A URL in its canonical form; a password in it is left out. */
const plainUrl = (text: string): string => {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text;
  const { protocol, username, host, pathname, search } = new URL(text);
  return [protocol, username, host, pathname.replace(/\/+$/, ''), search].join(' ');
};

/** A value in canonical form, with sorted keys. */
const canonical = (value: unknown): unknown => {
  if (typeof value === 'string') return plainUrl(value);
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => [key, canonical(inner)]);
};

/**
 * The system on the other side. Settings with the same digest lead to the same orders, so "no such order"
 * from one says something about what the other sent. The settings include their defaults.
 */
export const systemOf = (
  connector: Pick<Connector, 'name' | 'settings' | 'identifiedBy'>,
  settings: Settings,
): string => {
  const open = publicSettingsOf(connector, settings);
  const names = connector.identifiedBy ?? Object.keys(open);
  const identity = Object.fromEntries(names.map((name) => [name, open[name]]));
  const text = JSON.stringify([connector.name, canonical(identity)]);
  return hash('sha256', text, 'base64url').slice(0, digestLength);
};
