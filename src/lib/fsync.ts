/** Owns that what was written survives a loss of power: a file's bytes, and the names in a folder. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export const syncFile = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Not every system opens a folder; there it keeps names safe by itself. */
export const syncFolder = (path: string): void => {
  if (process.platform !== 'win32') syncFile(path);
};
