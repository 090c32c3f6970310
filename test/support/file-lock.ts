/** Holds a lock that processes share through a file. It ends with the process, however that ends. */
import { DatabaseSync } from 'node:sqlite';

// Longer than an install and a build take on a busy machine.
const longestWaitMs = 900_000;

/** Runs `work` while no other process runs anything under the same file. */
export const whileLocked = async <T>(file: string, work: () => T | Promise<T>): Promise<T> => {
  const lock = new DatabaseSync(file, { timeout: longestWaitMs });
  try {
    lock.exec('begin exclusive');
    return await work();
  } finally {
    lock.close();
  }
};
