export const spaces: readonly string[];
