/** Owns randomness and ids as arguments: UUIDv7, so that ids sort roughly by the time they were made. */
import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Gives that many unpredictable bytes. */
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

export const uuidV7 = (clock: Pick<Clock, 'now'>, random: Random): NewId => {
  return () => {
    const time = clock.now().toString(16).padStart(12, '0');
    const noise = Buffer.from(random(10));
    // Version 7 and the RFC 9562 variant take six of the eighty bits.
    noise.writeUInt8((noise.readUInt8(0) & 0x0f) | 0x70, 0);
    noise.writeUInt8((noise.readUInt8(2) & 0x3f) | 0x80, 2);
    const tail = noise.toString('hex');
    return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`;
  };
};
