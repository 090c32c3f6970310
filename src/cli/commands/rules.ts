/** Defines the command for a client's rules: products, limits and answers. */
import { updateRules } from '../../admin/clients/actions.ts';
import { type ClientRules, longestGuard } from '../../clients/rules/rules.ts';
import { readConfig } from '../../config/config.ts';
import { operatorIdsIn } from '../../config/sections/operators.ts';
import { type Amounts, readAmounts } from '../amounts.ts';
import { byOption, runAudited } from '../audited.ts';
import {
  type Arguments,
  type Command,
  InvalidUsage,
  operand,
  readAmount,
  table,
  textOption,
} from '../definition.ts';

/** An option's value, undefined if it is not given and null for the word that means none. */
const optional = <T>(
  args: Arguments,
  name: string,
  { none, read }: { readonly none: string; readonly read: (text: string) => T },
): T | null | undefined => {
  const text = textOption(args, name)?.trim();
  if (text === undefined) return undefined;
  return text === none ? null : read(text);
};

const readIds =
  (name: string, fits: (id: number) => boolean, rule: string) =>
  (text: string): readonly number[] => {
    const ids = text.split(',').map((part) => (/^ *[0-9]{1,15} *$/.test(part) ? Number(part) : 0));
    if (ids.every((id) => id > 0 && fits(id))) return ids;
    throw new InvalidUsage(`--${name} must be ${rule}, not "${text}".`);
  };

const readSeconds = (text: string): number => {
  const seconds = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= longestGuard) return seconds;
  throw new InvalidUsage(
    `--repeat-guard must be 1 to ${longestGuard} seconds or "off", not "${text}".`,
  );
};

const readStatus = (text: string | undefined): 202 | 409 | undefined => {
  if (text === undefined) return undefined;
  if (text === '202') return 202;
  if (text === '409') return 409;
  throw new InvalidUsage(`--pending-status must be 202 or 409, not "${text}".`);
};

const changeIn = (args: Arguments): Partial<ClientRules> => {
  const operatorIds = operatorIdsIn(readConfig());
  const products = optional(args, 'products', {
    none: 'all',
    read: readIds('products', () => true, 'IDs separated by commas, or "all"'),
  });
  const operators = optional(args, 'operators', {
    none: 'all',
    read: readIds(
      'operators',
      (id) => operatorIds.includes(id),
      `some of ${operatorIds.join(',')} or "all"`,
    ),
  });
  const repeatSeconds = optional(args, 'repeat-guard', { none: 'off', read: readSeconds });
  const dailyLimit = optional(args, 'daily-limit', {
    none: 'off',
    read: (text) => readAmount(text, '--daily-limit'),
  });
  const pendingStatus = readStatus(textOption(args, 'pending-status'));
  return {
    ...(products === undefined ? {} : { products }),
    ...(operators === undefined ? {} : { operators }),
    ...(repeatSeconds === undefined ? {} : { repeatSeconds }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
    ...(pendingStatus === undefined ? {} : { pendingStatus }),
  };
};

const shown = (rules: ClientRules, { write }: Amounts): string =>
  table({ RULE: 'rule', VALUE: 'value' }, [
    { rule: 'products', value: rules.products?.join(',') ?? 'all' },
    { rule: 'operators', value: rules.operators?.join(',') ?? 'all' },
    {
      rule: 'repeat-guard',
      value: rules.repeatSeconds === null ? 'off' : `${rules.repeatSeconds} s`,
    },
    { rule: 'daily-limit', value: rules.dailyLimit === null ? 'off' : write(rules.dailyLimit) },
    { rule: 'pending-status', value: rules.pendingStatus },
  ]);

export const clientRules: Command = {
  name: 'client rules',
  summary: 'Show or change the permissions and limits of a client. Changes apply within a second.',
  operands: ['ID'],
  options: {
    products: { value: 'IDS', about: 'Allowed products such as 1001,1002, or "all".' },
    operators: { value: 'IDS', about: 'Allowed operators such as 1,2, or "all".' },
    'repeat-guard': {
      value: 'SECONDS',
      about: 'Refuse the same product for the same number and price within this time, or "off".',
    },
    'daily-limit': {
      value: 'AMOUNT',
      about: 'The most that the client may spend per day of the business time zone, or "off".',
    },
    'pending-status': {
      value: 'STATUS',
      about:
        'The status of unfinished purchases: 202, or 409 for a client that treats every 2xx as a success.',
    },
    ...byOption,
  },
  run: async (args) => {
    const id = operand(args, 0);
    const change = changeIn(args);
    const { rules, amounts } = await runAudited(args, async (acting) => ({
      rules: await updateRules(acting, id, change),
      amounts: await readAmounts(acting.db),
    }));
    return {
      data: {
        id,
        products: rules.products,
        operators: rules.operators,
        repeat_guard: rules.repeatSeconds,
        daily_limit: rules.dailyLimit,
        currency: amounts.currency,
        pending_status: rules.pendingStatus,
      },
      text: shown(rules, amounts),
    };
  },
};
