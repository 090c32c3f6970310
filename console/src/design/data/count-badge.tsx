/** Shows how many wait, beside a name or over an icon. */
import Box from '@mui/material/Box';
import { useColours } from '../theme/use-colours.ts';

export const CountBadge = ({ count }: { readonly count: string }) => {
  const { danger, onSolid } = useColours();
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        display: 'inline-grid',
        placeItems: 'center',
        minWidth: 18,
        height: 18,
        paddingInline: '5px',
        borderRadius: '9px',
        bgcolor: danger,
        color: onSolid,
        fontSize: 11,
        lineHeight: 1,
        fontWeight: 600,
        fontVariantNumeric: 'tabular-nums',
      }}
    >
      {count}
    </Box>
  );
};
