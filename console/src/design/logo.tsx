/** Draws Simgate's mark: a SIM card whose contacts form a gate. */
import Box from '@mui/material/Box';
import { useColours } from './theme/use-colours.ts';

export const Logo = ({ size = 28 }: { readonly size?: number }) => {
  const { solid, onSolid } = useColours();
  return (
    <Box
      component="svg"
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
      sx={{ width: size, height: size, flexShrink: 0, display: 'block' }}
    >
      <path
        d="M9 2h10.5a4 4 0 0 1 2.8 1.2l4.5 4.5a4 4 0 0 1 1.2 2.8V25a5 5 0 0 1 -5 5h-14a5 5 0 0 1 -5 -5V7a5 5 0 0 1 5 -5z"
        fill={solid}
      />
      <path
        d="M10 24v-6.5a6 6 0 0 1 12 0V24M16 17v7"
        fill="none"
        stroke={onSolid}
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </Box>
  );
};
