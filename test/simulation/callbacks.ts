/** Simulates callbacks on their way: to any living instance, and again until one takes them. */
import type { CallbackRequest, StatusOutcome } from '../../src/connector/connector.ts';
import { isRecord } from '../../src/lib/record.ts';
import type { ReceiveCallback } from '../../src/purchases/callbacks/receive.ts';
import type { Model } from './model.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** What an operator says by itself of one order. */
export type Callback = {
  readonly operatorId: number;
  readonly ref: string;
  readonly outcome: StatusOutcome;
};

export type CallBack = (callback: Callback) => void;

/** On the word of who wrote it: only operators of this world do. */
const isCallback = (value: unknown): value is Callback => isRecord(value) && 'ref' in value;

/** How the connectors of this world read a message. */
export const statementsIn = ({ body }: CallbackRequest) => {
  const callback: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  return isCallback(callback)
    ? ({ kind: 'statements', statements: [callback] } as const)
    : ({ kind: 'rejected', detail: 'not of this world' } as const);
};

/** What a callback needs of an instance. */
export type Receiver = {
  readonly process: Process;
  readonly listens: () => boolean;
  /** Undefined where it does not know the operator. */
  readonly receive: (
    operatorId: number,
    request: CallbackRequest,
  ) => ReturnType<ReceiveCallback> | undefined;
};

// An operator gives up some day; here within the time that everything has to end.
const mostAttempts = 10;

export const createCallBack = (
  world: World,
  model: Model,
  receivers: () => readonly Receiver[],
): CallBack => {
  const { draw } = world;
  const deliver = (callback: Callback, left: number): void => {
    if (left === 0) return;
    const again = (): void => world.after(draw.whole(500, 4000), () => deliver(callback, left - 1));
    const [first, ...others] = receivers().filter((one) => one.listens());
    if (first === undefined) return again();
    const { process, receive } = draw.pick([first, ...others]);
    const { operatorId, ref, outcome } = callback;
    const body = Buffer.from(JSON.stringify(callback));
    process.now(() => {
      world.say(`${process.name} is called back about ${ref}: ${outcome.kind}`);
      const isOwn = model.purchases().get(ref)?.supplier_id === operatorId;
      // A refusal is of the first attempt: it ends no other.
      if (isOwn && (outcome.kind === 'done' || outcome.kind === 'refused')) {
        model.reached(ref, { process, outcome, attempt: 1, supplierId: operatorId });
      }
      const request = { method: 'POST', query: '', headers: {}, body, receivedAt: 0 };
      // An operator sends a callback again until it is answered.
      receive(operatorId, request)?.catch(again);
    });
  };
  return (callback) => deliver(callback, mostAttempts);
};
