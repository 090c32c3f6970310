/** Shows what an entry changed: in one line, and field by field when it is opened. */
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Link from '@mui/material/Link';
import { type ReactNode, useId, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { DescriptionList } from '../design/data/description-list.tsx';
import { ExpandIcon } from '../design/icons.tsx';
import { sizes } from '../design/theme/tokens.ts';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { changesOf, type Difference, differencesOf, type Entry, summaryOf } from './entry.ts';
import { historyOf } from './filter.ts';

const BeforeAfter = ({ difference: { before, after } }: { readonly difference: Difference }) => {
  const say = useText();
  if (before === undefined || after === undefined) return <bdi>{after ?? before}</bdi>;
  return (
    <>
      <Box component="del" sx={{ color: 'text.secondary' }}>
        <bdi>{before}</bdi>
      </Box>{' '}
      {say('audit.arrow')}{' '}
      <Box component="ins" sx={{ textDecoration: 'none', fontWeight: 550 }}>
        <bdi>{after}</bdi>
      </Box>
    </>
  );
};

const Only = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Link component={RouterLink} to={to}>
    {children}
  </Link>
);

const Details = ({ entry }: { readonly entry: Entry }) => {
  const say = useText();
  const format = useFormat();
  const { subject, actor, address } = entry;
  return (
    <>
      <DescriptionList
        rows={[
          ...differencesOf(say, entry, format).map(
            (difference) =>
              [
                difference.field,
                <BeforeAfter key={difference.field} difference={difference} />,
              ] as const,
          ),
          [say('audit.address'), <bdi key="address">{address ?? say('common.none')}</bdi>],
        ]}
      />
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', mt: 1 }}>
        <Only to={historyOf(subject)}>{say('audit.onlySubject')}</Only>
        <Only to={`/audit?${new URLSearchParams({ actor }).toString()}`}>
          {say('audit.onlyActor')}
        </Only>
      </Box>
    </>
  );
};

export const Changes = ({ entry }: { readonly entry: Entry }) => {
  const say = useText();
  const format = useFormat();
  const id = useId();
  const [open, setOpen] = useState(false);
  const summary = summaryOf(say, changesOf(say, entry, format), format);
  return (
    <>
      <ButtonBase
        aria-expanded={open}
        aria-label={`${summary}. ${say('audit.show')}`}
        {...(open ? { 'aria-controls': id } : {})}
        sx={{
          font: 'inherit',
          gap: '6px',
          maxWidth: '100%',
          minHeight: { xs: sizes.finger, sm: 28 },
          // The row is as dense as those without a button.
          marginBlock: { sm: '-3px' },
          minWidth: { xs: sizes.finger, sm: 0 },
          textAlign: 'start',
          justifyContent: 'start',
          '& svg': {
            fontSize: 16,
            flexShrink: 0,
            color: 'text.secondary',
            transform: open ? 'rotate(180deg)' : 'none',
          },
        }}
        onClick={() => setOpen(!open)}
      >
        <ExpandIcon />
        <Box
          component="span"
          sx={{
            display: '-webkit-box',
            WebkitBoxOrient: 'vertical',
            WebkitLineClamp: { xs: '2', sm: '1' },
            overflow: 'hidden',
            wordBreak: 'break-word',
          }}
        >
          {summary}
        </Box>
      </ButtonBase>
      {open ? (
        <Box id={id} sx={{ py: 1, paddingInlineStart: { sm: '22px' } }}>
          <Details entry={entry} />
        </Box>
      ) : null}
    </>
  );
};
