/** Defines what the program measures, as plain functions. */
import type { Registry } from 'prom-client';
import { isSupplierId } from '../config/sections/operators.ts';
import type { ErrorCode } from '../lib/errors.ts';
import { perKey } from '../lib/memo.ts';
import { recordOf } from '../lib/record.ts';
import { type AlarmMetrics, alarmMetrics } from './alarms.ts';
import { batchBounds, callBounds, purchaseBounds, requestBounds, sizeBounds } from './bounds.ts';
import { callOutcomes } from './call-outcomes.ts';
import { type CallbackMetrics, callbackMetrics } from './callbacks.ts';
import { countEach, createCounter, createHistogram } from './counters.ts';
import { type Named, type NameOf, namesOf } from './names.ts';

export const purchaseOutcomes = [
  'succeeded',
  'failed',
  'refused',
  'unknown',
  'review',
  'reversed',
] as const;
export type PurchaseOutcome = (typeof purchaseOutcomes)[number];

export type CallKind = 'order' | 'inquiry' | 'offers' | 'subscriber' | 'reports' | 'balance';

/** The operator that is called, and the call. */
export type Asked = { readonly operatorId: number; readonly kind: CallKind };

const webhookOutcomes = ['delivered', 'failed'] as const;
export type WebhookOutcome = (typeof webhookOutcomes)[number];
const unmaskingOutcomes = ['shown', 'refused'] as const;

/** Why a connection was closed, and the status of a refused caller: docs/operate/metrics.md explains each. */
export const closeReasons = ['unread', 'slow', 'pipelined', 'anonymous'] as const;
export type CloseReason = (typeof closeReasons)[number];
const callerKinds = ['known', 'unverified', 'anonymous'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** What went wrong in a connector's own code: docs/operate/metrics.md says what each means. */
const connectorFaults = ['threw', 'overdue', 'unblamed', 'unhandled'] as const;
export type ConnectorFault = (typeof connectorFaults)[number];

const batchNames = ['begin', 'advance'] as const;
export type BatchName = (typeof batchNames)[number];

export type BatchMetrics = {
  /** One item waited this long for its batch to begin. */
  readonly waited: (ms: number) => void;
  /** This many items went into one transaction. */
  readonly began: (size: number) => void;
  /** The transaction took this long, whether it succeeded or not. */
  readonly ended: (ms: number) => void;
};

export type Metrics = AlarmMetrics &
  CallbackMetrics & {
    /** A request was answered; the route is null where none fitted. */
    readonly request: (route: string | null, status: number, ms: number) => void;
    /** A request was refused with this code; only overload codes are counted. */
    readonly refused: (code: ErrorCode, caller: CallerKind) => void;
    /** A connection was closed because of how it was used. */
    readonly connectionClosed: (reason: CloseReason) => void;
    /** A purchase has reached this state; the operator is null if the product is unknown. */
    readonly purchase: (operatorId: number | null, outcome: PurchaseOutcome) => void;
    /** A purchase was settled this long after it began. */
    readonly settled: (
      operatorId: number | null,
      outcome: 'succeeded' | 'failed',
      ms: number,
    ) => void;
    /** An operator reported an order that is unknown here. */
    readonly unmatched: (operatorId: number) => void;
    /** An operator was called; the outcome is its connector's. */
    readonly call: (asked: Asked, outcome: string, ms: number) => void;
    /** A connector's code threw, left too many calls without an end, or left an error unhandled. */
    readonly connectorFault: (operatorId: number, fault: ConnectorFault) => void;
    readonly batch: (name: BatchName) => BatchMetrics;
    /** The rows of a client stayed locked by another transaction. */
    readonly lockedRows: (batch: BatchName) => void;
    /** A message was sent to a client's endpoint. */
    readonly webhook: (outcome: WebhookOutcome) => void;
    /** A full number was requested in the back office. */
    readonly unmasking: (outcome: (typeof unmaskingOutcomes)[number]) => void;
  };

const nothing = (): void => {};

export const noMetrics: Metrics = {
  request: nothing,
  refused: nothing,
  connectionClosed: nothing,
  purchase: nothing,
  settled: nothing,
  unmatched: nothing,
  calledBack: nothing,
  alarmMessage: nothing,
  call: nothing,
  connectorFault: nothing,
  batch: () => ({ waited: nothing, began: nothing, ended: nothing }),
  lockedRows: nothing,
  webhook: nothing,
  unmasking: nothing,
};

const overloadCodes = [
  'RATE_LIMITED',
  'OVERLOADED',
  'OPERATOR_UNAVAILABLE',
  'DRAINING',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const seconds = (ms: number): number => ms / 1000;

const requestMetrics = (
  registry: Registry,
): Pick<Metrics, 'request' | 'refused' | 'connectionClosed'> => {
  const durations = createHistogram(registry, {
    name: 'simgate_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['route', 'status'],
    bounds: requestBounds,
  });
  const refusals = createCounter(registry, {
    name: 'simgate_http_requests_refused_total',
    help: 'Requests refused because of load, limits or an unavailable dependency.',
    labelNames: ['code', 'caller'],
  });
  const byRoute = perKey((route: string | null) =>
    perKey((statusClass: number) =>
      durations({ route: route ?? 'none', status: `${statusClass}xx` }),
    ),
  );
  const refusalsBy = new Map(
    overloadCodes.flatMap((code) =>
      callerKinds.map((caller) => [code + caller, refusals({ code, caller })]),
    ),
  );
  return {
    request: (route, status, ms) => byRoute(route)(Math.trunc(status / 100))(seconds(ms)),
    refused: (code, caller) => refusalsBy.get(code + caller)?.(),
    connectionClosed: countEach(registry, ['reason', closeReasons], {
      name: 'simgate_http_connections_closed_total',
      help: 'Connections closed because of how they were used.',
    }),
  };
};

const purchaseMetrics = (
  registry: Registry,
  nameOf: NameOf,
  operators: readonly Named[],
): Pick<Metrics, 'purchase' | 'settled' | 'unmatched'> => {
  const counts = createCounter(registry, {
    name: 'simgate_purchases_total',
    help: 'Purchases that reached a state; one may reach several, such as unknown and then succeeded.',
    labelNames: ['operator', 'outcome'],
  });
  const durations = createHistogram(registry, {
    name: 'simgate_purchase_duration_seconds',
    help: 'Time from the start of a purchase to its end, by the database clock.',
    labelNames: ['operator', 'outcome'],
    bounds: purchaseBounds,
  });
  const unmatched = createCounter(registry, {
    name: 'simgate_reports_unmatched_total',
    help: 'Operator reports about unknown orders.',
    labelNames: ['operator'],
  });
  const unmatchedOf = perKey((operatorId: number) => unmatched({ operator: nameOf(operatorId) }));
  const countOf = perKey((operatorId: number | null) => {
    const operator = nameOf(operatorId);
    return recordOf(purchaseOutcomes, (outcome) => counts({ operator, outcome }));
  });
  const durationOf = perKey((operatorId: number | null) => {
    const operator = nameOf(operatorId);
    return recordOf(['succeeded', 'failed'], (outcome) => durations({ operator, outcome }));
  });
  // Exists from the start: a series that begins with its first event has no rate.
  for (const { id } of operators) unmatchedOf(id);
  for (const { id } of operators.filter((one) => !isSupplierId(one.id))) {
    countOf(id);
    durationOf(id);
  }
  return {
    purchase: (operatorId, outcome) => countOf(operatorId)[outcome](),
    unmatched: (operatorId) => unmatchedOf(operatorId)(),
    settled: (operatorId, outcome, ms) => durationOf(operatorId)[outcome](seconds(ms)),
  };
};

const callMetrics = (
  registry: Registry,
  nameOf: NameOf,
  operators: readonly Named[],
): Pick<Metrics, 'call' | 'connectorFault'> => {
  const counts = createCounter(registry, {
    name: 'simgate_operator_calls_total',
    help: 'Requests to operators, by outcome.',
    labelNames: ['operator', 'kind', 'outcome'],
  });
  const durations = createHistogram(registry, {
    name: 'simgate_operator_call_duration_seconds',
    help: 'Response time of operators, timeouts included.',
    labelNames: ['operator', 'kind'],
    bounds: callBounds,
  });
  const childOf = perKey((operatorId: number) => {
    const operator = nameOf(operatorId);
    return perKey((kind: CallKind) => ({
      count: perKey((outcome: string) => counts({ operator, kind, outcome })),
      observe: durations({ operator, kind }),
    }));
  });
  const faults = createCounter(registry, {
    name: 'simgate_connector_faults_total',
    help: 'Errors in the code of connectors, by kind.',
    labelNames: ['operator', 'fault'],
  });
  const faultsOf = perKey((operatorId: number) =>
    recordOf(connectorFaults, (fault) => faults({ operator: nameOf(operatorId), fault })),
  );
  for (const { id } of operators) faultsOf(id);
  return {
    connectorFault: (operatorId, fault) => faultsOf(operatorId)[fault](),
    call: ({ operatorId, kind }, outcome, ms) => {
      const child = childOf(operatorId)(kind);
      child.count(callOutcomes.has(outcome) ? outcome : 'other')();
      child.observe(seconds(ms));
    },
  };
};

const batchMetrics = (registry: Registry): Pick<Metrics, 'batch' | 'lockedRows'> => {
  const labelNames = ['batch'];
  const sizes = createHistogram(registry, {
    name: 'simgate_batch_size',
    help: 'Purchases that shared one transaction.',
    labelNames,
    bounds: sizeBounds,
  });
  const waits = createHistogram(registry, {
    name: 'simgate_batch_wait_seconds',
    help: 'Time that a purchase waited for its transaction to start.',
    labelNames,
    bounds: batchBounds,
  });
  const durations = createHistogram(registry, {
    name: 'simgate_batch_transaction_duration_seconds',
    help: 'Duration of a batch transaction, lock waits included.',
    labelNames,
    bounds: batchBounds,
  });
  return {
    lockedRows: countEach(registry, ['batch', batchNames], {
      name: 'simgate_locked_rows_total',
      help: 'Times that another transaction kept the rows of a client locked; only its purchases waited.',
    }),
    batch: (batch) => {
      const [waited, ended] = [waits({ batch }), durations({ batch })];
      return {
        waited: (ms) => waited(seconds(ms)),
        began: sizes({ batch }),
        ended: (ms) => ended(seconds(ms)),
      };
    },
  };
};

/** Metrics that are counted in a registry, with the operators' names as labels. */
export const createMetrics = (
  registry: Registry,
  operators: readonly Named[],
  nameOf: NameOf = namesOf(operators),
): Metrics => {
  return {
    ...requestMetrics(registry),
    ...purchaseMetrics(registry, nameOf, operators),
    ...callMetrics(registry, nameOf, operators),
    ...callbackMetrics(registry, operators, nameOf),
    ...batchMetrics(registry),
    ...alarmMetrics(registry),
    webhook: countEach(registry, ['outcome', webhookOutcomes], {
      name: 'simgate_webhook_attempts_total',
      help: 'Webhook messages sent, by outcome.',
    }),
    unmasking: countEach(registry, ['outcome', unmaskingOutcomes], {
      name: 'simgate_admin_unmaskings_total',
      help: 'Full mobile numbers requested in the console, by outcome.',
    }),
  };
};
