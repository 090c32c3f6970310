/** Shows a mobile number that the server has masked. */
import Box from '@mui/material/Box';
import { screenReaderOnly } from '../design/screen-reader-only.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';

export const MaskedNumber = ({ mobile }: { readonly mobile: string }) => {
  const say = useText();
  const { digits } = useFormat();
  return (
    <Box component="span" dir="ltr" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      <span aria-hidden="true">{digits(mobile)}</span>
      <Box component="span" sx={screenReaderOnly}>
        {say('common.hiddenNumber', { end: digits(mobile.slice(-4)) })}
      </Box>
    </Box>
  );
};
