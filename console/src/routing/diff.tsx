/** Shows what an import of routes would change, field by field. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Answer } from '../api/client.ts';
import { useOperators } from '../catalogue/names.ts';
import { Badge } from '../design/data/badge.tsx';
import { Table } from '../design/table/table.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { differing } from './draft.ts';
import { implicitId, type Route } from './route.ts';
import { Scope, useCost, useTermWords } from './words.tsx';

export type Preview = Answer<'previewRouteImport'>;
type RouteDiff = Preview['diff'][number];

const kinds = { added: 'new', changed: 'changed', removed: 'removed' } as const;
const tones = { added: 'good', changed: 'attention', removed: 'bad' } as const;

const Changes = ({ diff: { before, after } }: { readonly diff: RouteDiff }) => {
  const say = useText();
  const { count } = useFormat();
  const words = useTermWords();
  const cost = useCost();
  if (before !== null && after !== null) {
    return (
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}>
        {differing(before, after).map((name) => (
          <li key={name}>
            <bdi>
              {say('catalogueImport.was', {
                field: say(`routing.fields.${name}`),
                before: words(name, before),
                after: words(name, after),
              })}
            </bdi>
          </li>
        ))}
      </Box>
    );
  }
  const route = after ?? before;
  if (route === null) return null;
  return say('routing.summary', { priority: count(route.priority), cost: cost(route.cost) });
};

const routeOf = ({ before, after }: RouteDiff): Route | null => after ?? before;

/** The first differences: the gateway sends 500 at most. */
export const DiffTable = ({ diff }: { readonly diff: Preview['diff'] }) => {
  const say = useText();
  const { count, digits } = useFormat();
  const { nameOf } = useOperators();
  const rows = diff.map((one, index) => ({ ...one, key: String(index), route: routeOf(one) }));
  return (
    <>
      <Table
        name={say('catalogueImport.preview')}
        columns={[
          {
            key: 'kind',
            label: say('catalogueImport.what'),
            cell: ({ kind }) => (
              <Badge tone={tones[kind]} label={say(`catalogueImport.kinds.${kinds[kind]}`)} />
            ),
          },
          {
            key: 'id',
            label: say('routing.route'),
            cell: ({ route }) =>
              route === null || route.id === implicitId ? say('common.none') : digits(route.id),
          },
          {
            key: 'operator',
            wrap: true,
            label: say('routing.fields.operator_id'),
            cell: ({ route }) => (route === null ? null : <bdi>{nameOf(route.operator_id)}</bdi>),
          },
          {
            key: 'scope',
            wrap: true,
            label: say('routing.scope'),
            cell: ({ route }) => (route === null ? null : <Scope terms={route} />),
          },
          {
            key: 'supplier',
            wrap: true,
            label: say('routing.supplier'),
            cell: ({ route }) => (route === null ? null : <bdi>{nameOf(route.supplier_id)}</bdi>),
          },
          {
            key: 'fields',
            wrap: true,
            label: say('catalogueImport.fields'),
            cell: (one) => <Changes diff={one} />,
          },
        ]}
        rows={rows}
        keyOf={({ key }) => key}
      />
      {diff.length < 500 ? null : (
        <Typography>{say('routing.import.first', { count: count(diff.length) })}</Typography>
      )}
    </>
  );
};
