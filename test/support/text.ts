/** Generates arbitrary text for property tests. */
import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 } as const;

const anyCodePoint = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((at) => (at < surrogates.first ? at : at + surrogates.count));

/**
 * Any character, one in six of ASCII. fast-check's own `binary` is the same, but takes more than a second to
 * list all characters in each process.
 */
export const anyCharacter = fc
  .oneof({ arbitrary: anyCodePoint, weight: 5 }, { arbitrary: fc.nat({ max: 0x7f }), weight: 1 })
  .map((codePoint) => String.fromCodePoint(codePoint));
