/** Reads a stored JSON list; anything else counts as empty. */
export const listIn = (json: string): readonly unknown[] => {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed : [];
};
