/** Finds the word that a mistyped one was probably meant to be. Pure. */

/** How many letters have to be changed, added, removed or swapped with their neighbour. */
const distance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let at = 1; at <= one.length; at += 1) {
    const [before = [], last = []] = [rows[at - 2], rows[at - 1]];
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1];
      const exchanged = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(
        Math.min(
          (last[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + 1,
          (last[to - 1] ?? 0) + (same ? 0 : 1),
          exchanged ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

/** The nearest of the words, if no more than `most` letters of it are wrong. */
export const nearest = (
  word: string,
  words: readonly string[],
  most = Math.max(1, Math.floor(word.length / 3)),
): string | undefined => {
  const [best] = words
    .map((one) => ({ one, away: distance(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ away }) => away <= most)
    .toSorted((a, b) => a.away - b.away);
  return best?.one;
};

/** A sentence to append; empty if nothing is near. */
export const didYouMean = (word: string, words: readonly string[]): string => {
  const found = nearest(word, words);
  return found === undefined ? '' : ` The nearest is ${found}.`;
};
