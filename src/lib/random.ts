/** Provides randomness and UUIDv7 IDs as arguments. */
import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Returns this many unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

export type NewId = () => string;

// One system call fetches the randomness of some 400 ids.
const pool = new Uint8Array(4096);
let used = pool.length;

export const systemRandom: Random = (bytes) => {
  if (bytes > pool.length) return randomFillSync(new Uint8Array(bytes));
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.slice(used - bytes, used);
};

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Two hexadecimal digits; the noise is long enough. */
const hex = (noise: Uint8Array, index: number): string => hexOf[noise[index] ?? 0] ?? '';

const timePart = (now: number): string => {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-`;
};

/** Sorts before every id created from that time on, and after earlier ones. */
export const idLowerBound = (time: number): string => timePart(time);

/**
 * IDs of one millisecond sort in the order in which they were created, up to the 2,048th: the first draws its
 * twelve bits behind the time from the lower half, and each next one counts on (RFC 9562, section 6.2).
 */
export const uuidV7 = (clock: Pick<Clock, 'now'>, random: Random): NewId => {
  let last = Number.NaN;
  let time = '';
  let counter = 0;
  return () => {
    const now = clock.now();
    const noise = random(10);
    if (now === last) {
      counter = Math.min(counter + 1, 0xfff);
    } else {
      last = now;
      time = timePart(now);
      counter = (((noise[0] ?? 0) & 0x07) << 8) | (noise[1] ?? 0);
    }
    const variant = hexOf[((noise[2] ?? 0) & 0x3f) | 0x80] ?? '';
    return `${time}${(0x7000 | counter).toString(16)}-${variant}${hex(noise, 3)}-${hex(noise, 4)}${hex(noise, 5)}${hex(noise, 6)}${hex(noise, 7)}${hex(noise, 8)}${hex(noise, 9)}`;
  };
};
