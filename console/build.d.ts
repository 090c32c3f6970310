/** Builds the console into dist/. Returns false if it was already built from the same sources. */
export declare const buildConsole: () => Promise<boolean>;
