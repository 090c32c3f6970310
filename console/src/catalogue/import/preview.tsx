/** Previews an import and asks for confirmation before it is applied. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/dialog/confirm-dialog.tsx';
import { Section } from '../../design/page/section.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { DiffTable, useCountsText } from './diff.tsx';
import type { ImportPreview as Preview } from './lines.ts';

const Ask = ({
  preview,
  name,
  onApply,
  onClose,
}: {
  readonly preview: Preview;
  readonly name: string;
  readonly onApply: () => void;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const { count } = useFormat();
  const countsText = useCountsText();
  const { removed } = preview;
  return (
    <ConfirmDialog
      open
      danger={removed > 0}
      title={say('catalogueImport.applyTitle', { file: name })}
      text={`${countsText(preview)} ${say('catalogueImport.applyText')}`}
      confirm={say('catalogueImport.apply')}
      onConfirm={onApply}
      onClose={onClose}
    >
      {removed === 0 ? null : (
        <Alert severity="warning">
          {say('catalogueImport.applyRemoves', { count: count(removed) })}
        </Alert>
      )}
    </ConfirmDialog>
  );
};

export const ImportPreview = ({
  preview,
  name,
  isAgain,
  busy,
  onApply,
}: {
  readonly preview: Preview;
  readonly name: string;
  /** Whether it replaces an outdated one. */
  readonly isAgain: boolean;
  readonly busy: boolean;
  readonly onApply: () => void;
}) => {
  const say = useText();
  const countsText = useCountsText();
  const [asked, setAsked] = useState(false);
  const isSame = preview.diff.length === 0;
  return (
    <Section title={say('catalogueImport.preview')}>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        {isAgain ? <Alert severity="warning">{say('catalogueImport.again')}</Alert> : null}
        <Typography role="status">
          {say(isSame ? 'catalogueImport.same' : 'catalogueImport.previewText')}{' '}
          {countsText(preview)}
        </Typography>
        {isSame ? null : (
          <>
            <Button
              variant="contained"
              loading={busy}
              sx={{ justifySelf: 'start' }}
              onClick={() => setAsked(true)}
            >
              {say('catalogueImport.apply')}
            </Button>
            <DiffTable diff={preview.diff} />
          </>
        )}
      </Box>
      {asked ? (
        <Ask
          preview={preview}
          name={name}
          onApply={() => {
            setAsked(false);
            onApply();
          }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </Section>
  );
};
