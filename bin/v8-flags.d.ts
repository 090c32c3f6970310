export const v8Flags: readonly string[];
