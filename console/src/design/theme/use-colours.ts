/** Provides the colours of the current mode. */
import { useTheme } from '@mui/material/styles';
import { type Colours, colours } from './tokens.ts';

export const useColours = (): Colours => colours[useTheme().palette.mode];
