/** Runs the catalogue worker in its own thread, on its own connection, one job after another. */
import { parentPort } from 'node:worker_threads';
import { isUnavailable } from '../../../db/errors.ts';
import { openForCommand, type Place } from '../../../db/open.ts';
import { isRowLocked } from '../../../db/postgres/errors.ts';
import { OutcomeUnknown } from '../../../db/transaction.ts';
import type { OpenDatabase } from '../../../db/types.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { GatewayError } from '../../../lib/errors.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import { AdminError } from '../../errors.ts';
import { editProduct } from './edit-job.ts';
import { importFile } from './import-job.ts';
import { switchProducts, updatePrices } from './jobs.ts';
import type { CheckStop, Done, Failure, Job, Order, Stop, WorkerReply } from './messages.ts';
import { revertPrices } from './revert-job.ts';

if (parentPort === null) throw new Error('This is for a thread.');
const port = parentPort;
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const newId = uuidV7(clock, systemRandom);

const say = (reply: WorkerReply): void => port.postMessage(reply);

const run = (job: Job, stop: Stop, { db }: OpenDatabase): Promise<Done> => {
  const deps = { db, clock, newId, operators };
  // During long work this thread receives no messages, so it polls.
  const goOn: CheckStop = () => {
    if (Atomics.load(stop, 0) !== 0) throw new AdminError('CATALOGUE_STOPPED');
  };
  if (job.kind === 'switch') return switchProducts(deps, job, goOn);
  if (job.kind === 'prices') return updatePrices(deps, job, goOn);
  if (job.kind === 'edit') return editProduct(deps, job, goOn);
  if (job.kind === 'revert') return revertPrices(deps, job, goOn);
  return importFile(deps, job, (progress) => {
    goOn();
    say({ kind: 'progress', progress });
  });
};

const failureOf = (error: unknown): Failure => {
  if (error instanceof OutcomeUnknown) {
    const { code, text } = new AdminError('OUTCOME_UNKNOWN');
    return { kind: 'refused', code, text, cause: String(error.cause) };
  }
  if (error instanceof AdminError) {
    return { kind: 'refused', code: error.code, text: error.text };
  }
  if (error instanceof GatewayError && error.details.errors !== undefined) {
    return { kind: 'invalid', errors: error.details.errors };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    kind: 'failed',
    message,
    stack,
    isUnavailable: isUnavailable(error) || isRowLocked(error),
  };
};

let place: Place | undefined;
let operators: readonly number[] = [];
let database: OpenDatabase | undefined;

const open = async (): Promise<OpenDatabase> => {
  if (place === undefined) throw new Error('The database location was not sent to this thread.');
  database ??= await openForCommand(place, clock);
  return database;
};

port.on('message', (order: Order) => {
  if (order.kind === 'open') ({ place, operators } = order);
  else if (order.kind === 'end') {
    // The sender no longer waits for any job.
    void Promise.resolve(database?.close()).then(() => port.close());
  } else {
    ({ aheadMs } = order);
    void open()
      .then((opened) => run(order.job, order.stop, opened))
      .catch(failureOf)
      .then(say);
  }
});
