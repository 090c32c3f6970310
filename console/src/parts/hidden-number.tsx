/** Owns how a telephone number is shown to who may not see it whole. */
import Box from '@mui/material/Box';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';

export const HiddenNumber = ({ end }: { readonly end: string }) => {
  const say = useText();
  const { digits } = useFormat();
  const shown = digits(end);
  return (
    <Box component="span" dir="ltr" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      <span aria-hidden="true">•••• {shown}</span>
      <Box component="span" sx={visuallyHidden}>
        {say('common.hiddenNumber', { end: shown })}
      </Box>
    </Box>
  );
};

const visuallyHidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;
