/** Flushes files and folders to disk. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export const syncFile = (path: string): void => {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Not every system opens a folder; there names are durable without it. */
export const syncFolder = (path: string): void => {
  if (process.platform !== 'win32') syncFile(path);
};
