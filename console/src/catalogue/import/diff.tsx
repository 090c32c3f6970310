/** Shows what an import would change, field by field, or the problems that prevent it. */
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Badge } from '../../design/data/badge.tsx';
import { Code } from '../../design/data/code.tsx';
import { Section } from '../../design/page/section.tsx';
import { Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { Description } from '../../parts/description.tsx';
import { fieldName, fieldValue } from '../names.ts';
import type { Counts, ImportPreview, ProductDiff } from './lines.ts';

const tones = { new: 'good', changed: 'attention', removed: 'bad' } as const;

const Fields = ({ diff: { fields, kind } }: { readonly diff: ProductDiff }) => {
  const say = useText();
  const format = useFormat();
  if (fields.length === 0) return say('common.none');
  const lines = fields.map(({ field, before, after }) => {
    const values = {
      field: fieldName(say, field),
      before: fieldValue(say, field, before, format),
      after: fieldValue(say, field, after, format),
    };
    return say(kind === 'new' ? 'catalogueImport.is' : 'catalogueImport.was', values);
  });
  const list = (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}>
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </Box>
  );
  if (kind !== 'new') return list;
  return (
    <details>
      <Box component="summary" sx={{ minHeight: 24, cursor: 'pointer' }}>
        {say('catalogueImport.fields')}: {format.count(fields.length)}
      </Box>
      {list}
    </details>
  );
};

export const DiffTable = ({ diff }: { readonly diff: readonly ProductDiff[] }) => {
  const say = useText();
  const { count } = useFormat();
  return (
    <>
      <Table
        name={say('catalogueImport.preview')}
        columns={[
          {
            key: 'kind',
            label: say('catalogueImport.what'),
            cell: ({ kind }) => (
              <Badge tone={tones[kind]} label={say(`catalogueImport.kinds.${kind}`)} />
            ),
          },
          { key: 'id', label: say('catalogue.fields.id'), cell: ({ id }) => <Code>{id}</Code> },
          {
            key: 'name',
            wrap: true,
            label: say('catalogue.product'),
            cell: ({ name }) => <bdi>{name}</bdi>,
          },
          {
            key: 'fields',
            wrap: true,
            label: say('catalogueImport.fields'),
            cell: (one) => <Fields diff={one} />,
          },
        ]}
        rows={diff}
        keyOf={({ id }) => String(id)}
      />
      {diff.length < 500 ? null : (
        <Typography>{say('catalogueImport.first', { count: count(diff.length) })}</Typography>
      )}
    </>
  );
};

/** How many are new, changed, removed and unchanged, in one line. */
export const useCountsText = (): ((counts: Counts) => string) => {
  const say = useText();
  const { count } = useFormat();
  return ({ created, updated, removed, unchanged }) =>
    say('catalogueImport.counts', {
      created: count(created),
      updated: count(updated),
      removed: count(removed),
      unchanged: count(unchanged),
    });
};

export const Problems = ({
  preview: { problems, problem_count: total },
}: {
  readonly preview: Pick<ImportPreview, 'problems' | 'problem_count'>;
}) => {
  const say = useText();
  const { count } = useFormat();
  return (
    <Section title={say('catalogueImport.problems')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Typography role="alert">
          {say('catalogueImport.problemsText', { count: count(total) })}
        </Typography>
        <Table
          name={say('catalogueImport.problems')}
          columns={[
            { key: 'line', label: say('catalogueImport.line'), cell: ({ line }) => count(line) },
            {
              key: 'message',
              wrap: true,
              label: say('catalogueImport.problem'),
              cell: ({ message }) => <Description text={message} />,
            },
          ]}
          rows={problems.map((one, index) => ({ ...one, key: String(index) }))}
          keyOf={({ key }) => key}
        />
        {problems.length === total ? null : (
          <Typography>
            {say('catalogueImport.firstProblems', { count: count(problems.length) })}
          </Typography>
        )}
      </Box>
    </Section>
  );
};
