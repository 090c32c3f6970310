/** Runs a server as a worker: stops when the primary asks, and drains when the primary dies. */
import cluster, { type Worker } from 'node:cluster';
import { stopSignal } from '../lib/stop-signal.ts';
import { type Output, type ServeSettings, serve } from '../main.ts';
import { type Ready, stopReason } from './messages.ts';

/** Resolves with the reason when the primary asks the worker to stop, or when the primary is gone. */
const wordOfPrimary = (worker: Worker): Promise<string> =>
  new Promise((resolve) => {
    worker.on('message', (message: unknown) => {
      const signal = stopReason(message);
      if (signal !== undefined) resolve(signal);
    });
    worker.once('disconnect', () => {
      // Node would end the process immediately, with all its work.
      worker.exitedAfterDisconnect = true;
      resolve('disconnect');
    });
  });

/** Runs a server as one of many until a stop is requested. */
export const serveAsWorker = async (
  readSettings: () => ServeSettings,
  print: Output,
): Promise<void> => {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('This process has no primary.');
  const told = wordOfPrimary(worker);
  try {
    await serve(readSettings(), print, {
      logged: { worker: process.pid },
      // A signal to one worker drains that one; a signal to the group does so for each.
      untilStopped: () => Promise.race([told, stopSignal()]),
      // The primary counts those that it starts; the first one starts alone.
      isFirst: worker.id === 1,
      listening: (url) => {
        if (worker.isConnected()) worker.send({ kind: 'ready', url } satisfies Ready);
      },
    });
  } finally {
    // The connection to the primary would keep the process alive.
    if (worker.isConnected()) process.disconnect?.();
  }
};
