/** Draws among routes by their weights, from a purchase's id alone. Pure. */
import type { Route } from './route.ts';

/** Spreads the bits of a whole number of 32 bits (the finalizer of MurmurHash3). */
const spread = (bits: number): number => {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** FNV-1a, spread. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return spread(hash);
};

// The golden ratio in 32 bits sets neighbouring ids far apart.
const golden = 0x9e3779b1;

/**
 * A route's place: its priority, plus a draw below 1; the lowest is the best. Weighted rendezvous hashing: each
 * route has its share of the purchases, and a route that is added or removed moves none between the others.
 */
export const placeOf = (purchaseHash: number, { id, weight, priority }: Route): number => {
  const bits = spread(purchaseHash ^ Math.imul(id + 1, golden));
  const drawn = -Math.log((bits + 0.5) / 2 ** 32) / weight;
  return priority + drawn / (1 + drawn);
};
