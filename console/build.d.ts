/** Builds the console into dist/; false where what lies there was built from the same sources. */
export declare const buildConsole: () => Promise<boolean>;
