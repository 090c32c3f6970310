/** Keeps what is typed into the settings form, validates it, and saves the fields that were changed. */
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import { type Currency, isComplete } from '../currency.ts';
import { readWhole, useFormat } from '../format.ts';
import { useDone } from '../parts/done.ts';
import { isTimeZone } from '../writing.ts';
import type { ConsoleSettings } from './setting.ts';

type Fields = {
  readonly name: string;
  readonly below: string;
  readonly zone: string;
  readonly currency: Currency | null;
};
type Wrong = { readonly below: boolean; readonly zone: boolean; readonly currency: boolean };

const right: Wrong = { below: false, zone: false, currency: false };

/** What the gateway rejects. */
const wrongIn = (error: unknown): Wrong => {
  const fields = error instanceof ApiError ? error.fields : {};
  return {
    below: fields['low_balance_below'] !== undefined,
    zone: fields['time_zone'] !== undefined,
    currency: Object.keys(fields).some((name) => name.startsWith('currency')),
  };
};

const faultsOf = ({ below, zone, currency }: Fields): Wrong => {
  const least = readWhole(below);
  return {
    below: least === undefined || least < 0,
    zone: !isTimeZone(zone.trim()),
    currency: currency !== null && !isComplete(currency),
  };
};

/** Only what was typed: what others changed meanwhile stays. */
const bodyOf = ({ name, below, zone, currency }: Partial<Fields>) => ({
  ...(name === undefined ? {} : { company_name: name }),
  ...(below === undefined ? {} : { low_balance_below: readWhole(below) ?? 0 }),
  ...(zone === undefined ? {} : { time_zone: zone.trim() }),
  ...(currency === undefined ? {} : { currency }),
});

export const useSettingsDraft = (settings: ConsoleSettings) => {
  const done = useDone();
  const { count } = useFormat();
  const change = useAct('updateSettings', {
    changes: ['getSettings', 'getCompany', 'listClients'],
  });
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const [wrong, setWrong] = useState(right);
  const fields: Fields = {
    name: settings.company_name,
    below: count(settings.low_balance_below),
    zone: settings.time_zone,
    currency: settings.currency,
    ...typed,
  };
  return {
    fields,
    wrong,
    error: change.error,
    isSaving: change.isPending,
    isTyped: Object.keys(typed).length > 0,
    type: (more: Partial<Fields>): void => {
      setTyped((before) => ({ ...before, ...more }));
      setWrong((was) => ({
        below: was.below && more.below === undefined,
        zone: was.zone && more.zone === undefined,
        currency: was.currency && more.currency === undefined,
      }));
    },
    save: (): void => {
      const faults = faultsOf(fields);
      setWrong(faults);
      if (Object.values(faults).includes(true)) return;
      change.mutate(
        { body: bodyOf(typed) },
        {
          onSuccess: () => {
            setTyped({});
            done('settings.saved');
          },
          onError: (error) => setWrong(wrongIn(error)),
        },
      );
    },
  };
};
