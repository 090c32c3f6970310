/** Shows a text of the gateway. Backticks mark code, which reads from left to right. */

import Box from '@mui/material/Box';
import { Fragment } from 'react';
import { fonts } from '../design/theme/tokens.ts';
import type { Described } from '../i18n/descriptions.ts';

const code = { fontFamily: fonts.code, overflowWrap: 'anywhere', unicodeBidi: 'isolate' } as const;

export const Description = ({
  text,
  isEnglish = false,
}: Pick<Described, 'text'> & Partial<Described>) => (
  <bdi {...(isEnglish ? { lang: 'en', dir: 'ltr' } : {})}>
    {text.split('`').map((part, index) => {
      const at = `${index}`;
      return index % 2 === 0 ? (
        <Fragment key={at}>{part}</Fragment>
      ) : (
        <Box key={at} component="code" dir="ltr" sx={code}>
          {part}
        </Box>
      );
    })}
  </bdi>
);
