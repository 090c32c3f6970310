/** Simulates webhooks: endpoints, what must be sent to them, and a sender that loses some of it. */
import type { Tables } from '../../src/db/tables/tables.ts';
import { spendable } from '../../src/ledger/posting.ts';
import type { Sender, Sent } from '../../src/webhooks/delivery/send.ts';
import type { EventType } from '../../src/webhooks/event.ts';
import type { Process } from './process.ts';
import type { AccountRecord, PurchaseRecord } from './store.ts';
import type { World } from './world.ts';

type Endpoint = Tables['webhook_endpoints'];

const purchaseEvents = [
  'purchase.succeeded',
  'purchase.failed',
  'purchase.pending',
  'purchase.reversed',
] as const satisfies readonly EventType[];

const balanceBelow = 600;

const endpoint = (id: string, client: string, events: readonly EventType[]): Endpoint => ({
  id,
  client_id: client,
  url: `https://${id}.example/`,
  description: '',
  events: JSON.stringify(events),
  balance_below: events.includes('balance.low') ? balanceBelow : null,
  status: 'active',
  disabled_by: null,
  by_gateway: 0,
  secret: `whsec_${Buffer.alloc(32, id).toString('base64')}`,
  old_secret: null,
  old_secret_until: null,
  created_at: 0,
  deleted_at: null,
});

/** One client with two, one with one, one with none. */
export const endpoints: readonly Endpoint[] = [
  endpoint('e1', 'c1', purchaseEvents),
  endpoint('e2', 'c1', ['purchase.succeeded', 'balance.low']),
  endpoint('e3', 'c2', [...purchaseEvents, 'balance.low']),
];

/** As on PostgreSQL without a key. */
export const unsealed = {
  isSealed: () => false,
  open: () => ({ kind: 'closed', why: 'nothing is sealed' }) as const,
};

/** Short, and so many that no message is given up. */
export const webhookSettings = {
  timeoutMs: 1000,
  atOnce: 4,
  pausesMs: Array.from({ length: 40 }, () => 800),
};

const eventOf: Readonly<Record<string, EventType | undefined>> = {
  unknown: 'purchase.pending',
  review: 'purchase.pending',
  succeeded: 'purchase.succeeded',
  failed: 'purchase.failed',
  reversed: 'purchase.reversed',
};

/** The events of a change of state; a purchase sold and reversed at once has both. */
const eventsOf = (was: PurchaseRecord | undefined, { state }: PurchaseRecord): EventType[] => {
  if (was === undefined || was.state === state) return [];
  const event = eventOf[state];
  if (event === undefined) return [];
  return state === 'reversed' && was.state !== 'succeeded'
    ? ['purchase.succeeded', event]
    : [event];
};

const listensFor = ({ events }: Endpoint, type: EventType): boolean => events.includes(`"${type}"`);

const isMessage = (
  value: unknown,
): value is { readonly type: EventType; readonly data: { readonly id?: string } } =>
  typeof value === 'object' && value !== null && 'type' in value && 'data' in value;

export const createWebhookModel = (
  world: World,
  deposits: ReadonlyMap<string, number>,
  stateOf: (id: string) => string | undefined,
) => {
  const expected = new Set<string>();
  const arrived = new Set<string>();
  const available = new Map(deposits);
  const falls = new Map<string, number>();
  const lowMessages = new Map<string, Set<string>>();
  const nameOf = (id: string, type: string, about: string): string => `${id} ${type} ${about}`;

  /** A message is sent: its event must have been committed. */
  const checkTrue = (type: EventType, id: string | undefined): void => {
    if (id === undefined) return;
    const state = stateOf(id);
    const isTrue =
      type === 'purchase.pending'
        ? state !== undefined
        : type === 'purchase.succeeded'
          ? state === 'succeeded' || state === 'reversed'
          : eventOf[state ?? ''] === type;
    if (!isTrue) world.violate(`${id} is announced as ${type}, and is ${state}`);
  };

  const receive = (to: string, messageId: string, body: string): void => {
    const message: unknown = JSON.parse(body);
    if (!isMessage(message)) return world.violate(`a webhook says ${body}`);
    const { type, data } = message;
    world.say(`${to} hears ${type} ${data.id ?? ''}`);
    checkTrue(type, data.id);
    if (type === 'balance.low') {
      const known = lowMessages.get(to) ?? new Set();
      lowMessages.set(to, known.add(messageId));
    } else arrived.add(nameOf(to, type, data.id ?? ''));
  };

  return {
    changed: (was: PurchaseRecord | undefined, row: PurchaseRecord): void => {
      for (const type of eventsOf(was, row)) {
        for (const one of endpoints) {
          if (one.client_id === row.client_id && listensFor(one, type)) {
            expected.add(nameOf(one.id, type, row.id));
          }
        }
      }
    },
    /** A low balance is announced if a purchase has caused it. */
    moved: (accounts: readonly AccountRecord[], begins: boolean): void => {
      for (const account of accounts) {
        const before = available.get(account.client_id) ?? 0;
        const now = spendable({ available: account.available, credit: account.credit_limit });
        available.set(account.client_id, now);
        if (!begins || before < balanceBelow || now >= balanceBelow) continue;
        for (const one of endpoints) {
          if (one.client_id !== account.client_id || one.balance_below === null) continue;
          falls.set(one.id, (falls.get(one.id) ?? 0) + 1);
        }
      }
    },
    senderFor: (process: Process): Sender => ({
      send: ({ url, headers, body }) => {
        const answer = Promise.withResolvers<Sent>();
        const end = (ms: number, sent: Sent): void => {
          process.after(ms, () => answer.resolve(sent));
        };
        const to = new URL(url).hostname.replace('.example', '');
        if (world.fault('webhook lost', 0.05)) {
          end(webhookSettings.timeoutMs, {
            kind: 'failed',
            failure: { code: 'request_failed', values: {} },
          });
          return answer.promise;
        }
        world.after(world.draw.whole(0, 40), () => {
          if (world.fault('webhook refused', 0.05)) {
            return end(5, { kind: 'answered', status: 500 });
          }
          receive(to, String(headers['webhook-id']), body);
          end(world.draw.whole(0, 40), { kind: 'answered', status: 204 });
        });
        return answer.promise;
      },
      close: async () => {},
    }),
    /** Events that happened and were not announced. */
    missing: (): string[] => [
      ...[...expected]
        .filter((name) => !arrived.has(name))
        .map((name) => `${name} was not announced`),
      ...[...falls]
        .filter(([id, count]) => (lowMessages.get(id)?.size ?? 0) < count)
        .map(([id, count]) => `a low balance of ${id} was not announced ${count} times`),
    ],
  };
};

export type WebhookModel = ReturnType<typeof createWebhookModel>;
