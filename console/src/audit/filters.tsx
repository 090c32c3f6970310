/** Renders the filters of the audit log: the person, the action, the subject and the period. */
import type { ReactNode } from 'react';
import { useRead } from '../api/hooks.ts';
import { type BarFilter, FilterBar } from '../design/input/filter-bar.tsx';
import { type Option, SearchSelect } from '../design/input/search-select.tsx';
import { useFormat } from '../format.ts';
import { own } from '../i18n/en/index.ts';
import { useText } from '../i18n/text.ts';
import { dayBegins } from '../zoned.ts';
import { actionWords, isAction } from './entry.ts';
import { type Filter, noFilter } from './filter.ts';
import { PeriodEditor } from './period-filter.tsx';
import { commonSubjects, operatorSubject } from './subject.ts';

type Part = { readonly filter: Filter; readonly change: (part: Partial<Filter>) => void };

const fits = ({ name }: Option, search: string): boolean =>
  name.toLowerCase().includes(search.toLowerCase());

const useActions = (search: string) => {
  const say = useText();
  const all = Object.keys(own.audit.actions)
    .filter(isAction)
    .map((id) => ({ id, name: say(`audit.actions.${id}`) }));
  return { options: all.filter((one) => fits(one, search)), loading: false };
};

/** What has entries: the common subjects, operators, clients, and anything by its ID. */
const useSubjects = (search: string, wanted: boolean) => {
  const say = useText();
  const { locale } = useFormat();
  const operators = useRead('listOperators', {}, { enabled: wanted });
  const clients = useRead('listClients', { query: { search, limit: '20' } }, { enabled: wanted });
  const known: readonly Option[] = [
    ...commonSubjects.map((id) => ({ id, name: say(`audit.subjects.${id}`) })),
    ...(operators.data?.data ?? []).map(({ id, names }) => ({
      id: operatorSubject(id),
      name: names[locale],
    })),
  ].filter((one) => fits(one, search));
  const found = (clients.data?.data ?? []).map(({ id, name }) => ({ id, name }));
  const typed = search === '' ? [] : [{ id: search, name: say('audit.byId', { id: search }) }];
  return { options: [...found, ...known, ...typed], loading: clients.isFetching };
};

const useActorFilter = ({ filter: { actor }, change }: Part): BarFilter => {
  const say = useText();
  const { data } = useRead('listAuditActors', {});
  return {
    key: 'actor',
    label: say('audit.actor'),
    value: actor === '' ? undefined : actor,
    options: (data?.data ?? []).map((name) => ({ value: name, label: name })),
    chosen: actor,
    onChoose: (name) => change({ actor: name }),
    onRemove: () => change({ actor: '' }),
  };
};

const useActionFilter = ({ filter: { action }, change }: Part): BarFilter => {
  const say = useText();
  const name = actionWords(say, action);
  return {
    key: 'action',
    label: say('audit.action'),
    value: action === '' ? undefined : name,
    edit: (close) => (
      <SearchSelect
        label={say('audit.action')}
        autoFocus
        chosen={action === '' ? null : { id: action, name }}
        useFound={useActions}
        onChoose={(chosen) => {
          close();
          change({ action: chosen?.id ?? '' });
        }}
      />
    ),
    onRemove: () => change({ action: '' }),
  };
};

const useSubjectFilter = ({ filter: { subject }, change }: Part, name: string): BarFilter => {
  const say = useText();
  return {
    key: 'subject',
    label: say('audit.subject'),
    value: subject === '' ? undefined : name,
    edit: (close) => (
      <SearchSelect
        label={say('audit.findSubject')}
        autoFocus
        chosen={subject === '' ? null : { id: subject, name }}
        useFound={useSubjects}
        onChoose={(chosen) => {
          close();
          change({ subject: chosen?.id ?? '' });
        }}
      />
    ),
    onRemove: () => change({ subject: '' }),
  };
};

const usePeriodFilter = ({ filter: { from, to }, change }: Part): BarFilter => {
  const say = useText();
  const { time, zone } = useFormat();
  const day = (text: string): string => time(dayBegins(text, zone) ?? text, 'date');
  const words = (): string | undefined => {
    if (from !== '' && to !== '') {
      return from === to ? day(from) : say('audit.periodOf', { from: day(from), to: day(to) });
    }
    if (from !== '') return say('audit.periodFrom', { from: day(from) });
    return to === '' ? undefined : say('audit.periodTo', { to: day(to) });
  };
  return {
    key: 'period',
    label: say('audit.period'),
    value: words(),
    edit: (close) => (
      <PeriodEditor
        period={{ from, to }}
        onChoose={(period) => {
          close();
          change(period);
        }}
      />
    ),
    onRemove: () => change({ from: '', to: '' }),
  };
};

export const Filters = ({
  filter,
  subjectName,
  change,
  children,
}: {
  readonly filter: Filter;
  /** Of the chosen subject. */
  readonly subjectName: string;
  readonly change: Part['change'];
  readonly children: ReactNode;
}) => {
  const say = useText();
  const part: Part = { filter, change };
  const actor = useActorFilter(part);
  const action = useActionFilter(part);
  const subject = useSubjectFilter(part, subjectName);
  const period = usePeriodFilter(part);
  return (
    <FilterBar
      label={say('audit.filters')}
      filters={[subject, actor, action, period]}
      onClear={() => change(noFilter)}
    >
      {children}
    </FilterBar>
  );
};
