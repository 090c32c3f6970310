/** Tells whether the screen is a phone's, where tables have rows of two lines. */
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';

export const useNarrow = (): boolean => {
  const { breakpoints } = useTheme();
  return useMediaQuery(breakpoints.down('sm'), { noSsr: true });
};
