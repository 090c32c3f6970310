/** Shows how many wait, beside a name or over an icon. */
import { useColours } from '../theme/use-colours.ts';
import { RoundMark } from './round-mark.tsx';

export const CountBadge = ({ count }: { readonly count: string }) => {
  const { danger, onSolid } = useColours();
  return (
    <RoundMark
      sx={{
        paddingInline: '5px',
        bgcolor: danger,
        color: onSolid,
        fontWeight: 600,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {count}
    </RoundMark>
  );
};
