/** Defines the command that decides a purchase in review. */
import { auditResolution } from '../../admin/purchases/actions.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { callWithin } from '../../connector/call.ts';
import type { Connector } from '../../connector/connector.ts';
import { createDatabaseTime } from '../../db/engine.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import type { Db } from '../../db/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { readConnections } from '../../operators/defined/read.ts';
import { openRegistry } from '../../operators/registry.ts';
import { settingsInForce } from '../../operators/settings/in-force.ts';
import { listSettings } from '../../operators/settings/store.ts';
import { isTestPurchase } from '../../operators/supplier.ts';
import type { PlainFact } from '../../purchases/facts/facts.ts';
import { askOperator } from '../../purchases/review/ask-operator.ts';
import type { Asked, ReviewOutcome } from '../../purchases/review/evidence.ts';
import { evidenceText } from '../../purchases/review/evidence.ts';
import { moneyWords } from '../../purchases/review/money.ts';
import { resolve } from '../../purchases/review/resolve.ts';
import type { Undecided } from '../../purchases/review/undecided.ts';
import { passOnly } from '../../tracing/spans.ts';
import { actorOf, auditOptions, commandActor, reasonOf } from '../actor.ts';
import {
  type Arguments,
  type Command,
  choiceOption,
  InvalidUsage,
  operand,
  textOption,
  withDatabase,
} from '../definition.ts';

const verdicts = ['succeeded', 'failed'] as const satisfies readonly ReviewOutcome[];

const readVerdict = (args: Arguments): ReviewOutcome => {
  const verdict = choiceOption(args, 'as', verdicts);
  if (verdict === undefined) throw new InvalidUsage('Missing: --as succeeded|failed.');
  return verdict;
};

type Place = {
  readonly db: Db;
  readonly config: Config;
  readonly connectors: readonly Connector[];
};

const notAsked = (why: PlainFact): Asked => ({ kind: 'not_asked', why });

/** Asks a purchase's operator over its own connection. The server need not run. */
const askFromHere = async (
  { db, config, connectors }: Place,
  purchase: Undecided,
  now: () => Promise<number>,
): Promise<Asked> => {
  const all = await readConnections(db, config);
  const found = all.find(
    (one) => one.config.id === purchase.supplierId && !one.isNameTaken,
  )?.config;
  const inForce =
    found === undefined
      ? undefined
      : settingsInForce(
          found,
          await listSettings(db),
          connectors,
          createSecrets(config, systemRandom),
        );
  if (found === undefined || inForce === undefined || inForce.kind === 'unconnected') {
    const values = { operator: purchase.supplierId };
    return notAsked({ code: 'operator_not_configured', values });
  }
  if (isTestPurchase(purchase) || inForce.connector.inProcess === true) {
    return notAsked({ code: 'operator_in_process', values: { operator: found.id } });
  }
  if (inForce.kind === 'unusable') {
    const values = { operator: found.id, reason: inForce.why };
    return notAsked({ code: 'operator_settings_unreadable', values });
  }
  const { connector, settings } = inForce;
  const operators = [{ ...found, connector: connector.name, settings: { ...settings } }];
  const call = callWithin(systemClock, undefined, passOnly(systemRandom));
  const newId = uuidV7(systemClock, systemRandom);
  const registry = openRegistry(operators, connectors, (operatorId) => ({
    operatorId,
    clock: systemClock,
    random: systemRandom,
    newId,
    call,
  }));
  try {
    const asking = { registry, call, recovery: config.purchases, now };
    return await askOperator(asking, purchase);
  } finally {
    await registry.close();
  }
};

export const purchaseResolve: Command = {
  name: 'purchase resolve',
  summary:
    'Decide a purchase that is in review or disputed. The operator is asked first; a decision against its answer is refused.',
  operands: ['ID'],
  options: {
    as: { value: 'END', about: 'succeeded (it was delivered) or failed (it was not).' },
    ...auditOptions,
    force: {
      value: 'VERSION',
      about: 'Decide against the evidence. VERSION is the one that the refusal shows.',
    },
  },
  run: async (args) => {
    const id = operand(args, 0);
    const verdict = readVerdict(args);
    const version = textOption(args, 'force');
    const resolution = {
      verdict,
      reason: reasonOf(args),
      actor: actorOf(args),
      ...(version === undefined ? { force: false as const } : { force: true, version }),
    };
    const read = readConfig();
    const { loadAllConnectors } = await import('../../operators/connectors.ts');
    const { connectors, ...named } = await loadAllConnectors(read);
    const config = { ...read, ...named };
    const databaseTime = createDatabaseTime(systemClock);
    const done = await withDatabase((deps) =>
      resolve(
        {
          ...deps,
          databaseTime,
          alsoWrite: auditResolution(
            { ...deps, mobile: config.mobile },
            commandActor(args),
            resolution,
          ),
          ask: (purchase) =>
            askFromHere({ db: deps.db, config, connectors }, purchase, () => databaseTime(deps.db)),
        },
        id,
        resolution,
      ),
    );
    const { before, purchase, money, forced } = done;
    const evidence = evidenceText(done.evidence);
    return {
      data: {
        id,
        before: before.state,
        state: purchase.state,
        decided: verdict,
        by: resolution.actor,
        reason: resolution.reason,
        forced,
        evidence,
        money: moneyWords(money),
        answer: purchase.answer,
      },
      text: [
        `Purchase ${id} was ${before.state === 'review' ? 'in review' : 'disputed'} and is now ${purchase.state}.`,
        moneyWords(money),
        `Evidence: ${evidence}.${forced ? ' The decision is against it.' : ''}`,
      ].join('\n'),
    };
  },
};
