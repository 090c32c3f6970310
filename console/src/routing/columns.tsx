/** Defines the columns of the table of routes. */
import { useOperators } from '../catalogue/names.ts';
import { Code } from '../design/data/code.tsx';
import { MoreIcon } from '../design/icons.tsx';
import { MenuButton } from '../design/input/menu-button.tsx';
import type { Column } from '../design/table/table.tsx';
import { useNarrow } from '../design/use-narrow.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import type { Route } from './route.ts';
import { Enabled } from './switch.tsx';
import { Scope, useCost, useRouteName, When } from './words.tsx';

export type Asked =
  | { readonly action: 'create' }
  | { readonly action: 'edit' | 'remove'; readonly route: Route };

const useTermColumns = (): readonly Column<Route>[] => {
  const say = useText();
  const { count } = useFormat();
  const { nameOf } = useOperators();
  const cost = useCost();
  const narrow = useNarrow();
  return [
    {
      key: 'operator',
      label: say('routing.fields.operator_id'),
      wrap: true,
      cell: ({ operator_id: id }) => <bdi>{nameOf(id)}</bdi>,
    },
    {
      key: 'scope',
      label: say('routing.scope'),
      wrap: !narrow,
      phone: 'line',
      cell: (route) => <Scope terms={route} />,
    },
    {
      key: 'supplier',
      label: say('routing.supplier'),
      wrap: !narrow,
      phone: 'line',
      cell: ({ supplier_id: id }) => <bdi>{nameOf(id)}</bdi>,
    },
    {
      key: 'code',
      phone: 'hidden',
      label: say('routing.fields.product_code'),
      wrap: true,
      cell: ({ product_code: code }) => (code === null ? say('common.none') : <Code>{code}</Code>),
    },
    {
      key: 'cost',
      label: say('routing.fields.cost'),
      phone: 'line',
      numeric: true,
      cell: (route) => cost(route.cost),
    },
    {
      key: 'priority',
      phone: 'hidden',
      label: say('routing.fields.priority'),
      numeric: true,
      cell: ({ priority }) => count(priority),
    },
    {
      key: 'weight',
      phone: 'hidden',
      label: say('routing.fields.weight'),
      numeric: true,
      cell: ({ weight }) => count(weight),
    },
    {
      key: 'when',
      phone: 'hidden',
      label: say('routing.when'),
      wrap: true,
      cell: (route) => <When terms={route} />,
    },
  ];
};

export const useColumns = (ask: (asked: Asked) => void): readonly Column<Route>[] => {
  const say = useText();
  const may = useMay('routes');
  const nameOf = useRouteName();
  const columns: readonly Column<Route>[] = [
    ...useTermColumns(),
    {
      key: 'enabled',
      label: say('routing.fields.enabled'),
      phone: 'end',
      cell: (route) => <Enabled route={route} />,
    },
  ];
  if (!may) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      label: say('common.actions'),
      phone: 'end',
      cell: (route) => (
        <MenuButton
          label={say('routing.actionsOf', { name: nameOf(route) })}
          icon={<MoreIcon />}
          options={(['edit', 'remove'] as const).map((action) => ({
            key: action,
            label: say(`routing.${action}`),
            choose: () => ask({ action, route }),
          }))}
        />
      ),
    },
  ];
};
