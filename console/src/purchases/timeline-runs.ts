/** Finds runs of the same event in a timeline, which are shown as one line. Pure. */

// Two lines are as easy to read as one that opens.
const fewest = 3;

/** Each entry by itself, or the entries of a run. */
export const runsOf = <Entry extends { readonly kind: string }>(
  entries: readonly Entry[],
): readonly (readonly [Entry, ...Entry[]])[] => {
  const runs: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    if (last !== undefined && last[0].kind === entry.kind) last.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run): readonly [Entry, ...Entry[]][] =>
    run.length < fewest ? run.map((entry): [Entry] => [entry]) : [run],
  );
};
