/** Shows the currency at the end of a field for an amount. */
import InputAdornment from '@mui/material/InputAdornment';
import type { ReactNode } from 'react';
import { useFormat } from '../../format.ts';

/** The `input` slot of a text field; nothing is added while no currency is set. */
export const useUnit = (): { readonly endAdornment?: ReactNode } => {
  const { unit } = useFormat();
  return unit === ''
    ? {}
    : { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> };
};
