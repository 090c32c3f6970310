/** Attributes unhandled errors to the connector whose code they come from. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Connection, Connector } from './connector.ts';
import { saidBy } from './contain.ts';

/** The operator for which a connector's code runs. */
export type Scope = { readonly operatorId: number; readonly connector: string };

const scopes = new AsyncLocalStorage<Scope>();

const scoped = (connection: Connection, scope: Scope): Connection => {
  const { offers, subscriber, status, reports, balance, callbacks } = connection;
  const within =
    <Given extends readonly unknown[], Outcome>(ask: (...given: Given) => Promise<Outcome>) =>
    (...given: Given): Promise<Outcome> =>
      scopes.run(scope, () => ask.call(connection, ...given));
  return {
    ...saidBy(connection),
    ...(offers === undefined ? {} : { offers: within(offers) }),
    ...(subscriber === undefined ? {} : { subscriber: within(subscriber) }),
    ...(reports === undefined ? {} : { reports: within(reports) }),
    ...(balance === undefined ? {} : { balance: within(balance) }),
    ...(callbacks === undefined
      ? {}
      : {
          callbacks: {
            ...(callbacks.final === undefined ? {} : { final: callbacks.final }),
            read: (request) => scopes.run(scope, () => callbacks.read(request)),
          },
        }),
    buy: within(connection.buy),
    status: typeof status === 'function' ? within(status) : status,
    close: within(connection.close),
  };
};

/** The connector with all its code in a scope, including its timers and sockets. */
export const scopedConnector = (connector: Connector): Connector => ({
  ...connector,
  connect: (settings, context) => {
    const scope = { operatorId: context.operatorId, connector: connector.name };
    return scopes.run(scope, () => scoped(connector.connect(settings, context), scope));
  },
});

/**
 * Reports unhandled rejections and exceptions that come from a connector: nothing of the
 * gateway was interrupted by them, and the process goes on. All others end it, as without this. The returned
 * function ends it.
 */
export const onStrayError = (hear: (scope: Scope, error: unknown) => void): (() => void) => {
  const handle = (error: unknown): void => {
    const scope = scopes.getStore();
    if (scope === undefined) throw error;
    hear(scope, error);
  };
  process.on('unhandledRejection', handle);
  process.on('uncaughtException', handle);
  return () => {
    process.off('unhandledRejection', handle);
    process.off('uncaughtException', handle);
  };
};
