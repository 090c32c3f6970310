/** Shows the outline of what is loading, which screen readers announce. */
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useText } from '../../i18n/text.ts';
import { card } from '../page/card.ts';
import { screenReaderOnly } from '../screen-reader-only.ts';
import { radii, sizes } from '../theme/tokens.ts';

export type LoadingShape = 'text' | 'table' | 'stats' | 'page';

const Lines = ({ widths }: { readonly widths: readonly string[] }) => (
  <Box sx={{ display: 'grid', gap: 1.25 }}>
    {widths.map((width) => (
      <Skeleton key={width} variant="rounded" height={14} width={width} />
    ))}
  </Box>
);

const tableRows = ['82%', '64%', '75%', '58%', '70%', '61%', '78%', '66%'];

const TableShape = () => (
  <Box sx={{ ...card, overflow: 'hidden' }}>
    <Box sx={{ height: sizes.row, bgcolor: 'action.hover' }} />
    {tableRows.map((width) => (
      <Box
        key={width}
        sx={{
          height: sizes.row,
          paddingInline: 1.5,
          display: 'flex',
          alignItems: 'center',
          borderTop: 1,
          borderColor: 'divider',
        }}
      >
        <Skeleton variant="rounded" height={12} width={width} />
      </Box>
    ))}
  </Box>
);

const StatsShape = () => (
  <Box
    sx={{
      display: 'grid',
      gap: { xs: 1, sm: 2 },
      gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(auto-fit, minmax(13rem, 1fr))' },
    }}
  >
    {['first', 'second', 'third', 'fourth'].map((name) => (
      <Skeleton
        key={name}
        variant="rounded"
        height={104}
        sx={{ borderRadius: `${radii.card}px` }}
      />
    ))}
  </Box>
);

const shapes = {
  text: () => <Lines widths={['88%', '72%', '80%', '46%']} />,
  table: TableShape,
  stats: StatsShape,
  page: () => (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Skeleton variant="rounded" height={28} width="12rem" />
      <StatsShape />
      <TableShape />
    </Box>
  ),
} as const satisfies Record<LoadingShape, () => unknown>;

export const Loading = ({ shape = 'text' }: { readonly shape?: LoadingShape }) => {
  const say = useText();
  const Shape = shapes[shape];
  return (
    <Box role="status" aria-live="polite" sx={{ position: 'relative', minWidth: 0 }}>
      <Box component="span" sx={screenReaderOnly}>
        {say('common.loading')}
      </Box>
      <Shape />
    </Box>
  );
};
