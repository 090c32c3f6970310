/** Reverts a price change: says what goes back, asks, and lists what does not. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { useAct } from '../../api/hooks.ts';
import { newKey } from '../../api/key.ts';
import { Code } from '../../design/data/code.tsx';
import { ConfirmDialog } from '../../design/dialog/confirm-dialog.tsx';
import { Dialog } from '../../design/dialog/dialog.tsx';
import { ErrorState } from '../../design/states/error-state.tsx';
import { Loading } from '../../design/states/loading.tsx';
import { Table } from '../../design/table/table.tsx';
import { useFormat } from '../../format.ts';
import { useText } from '../../i18n/text.ts';
import { useDone } from '../../parts/done.ts';
import { catalogueReads } from '../sell.tsx';

type Effect = Answer<'previewRevert'>;

const KeptTable = ({ kept, kept_count: total }: Pick<Effect, 'kept' | 'kept_count'>) => {
  const say = useText();
  const { count } = useFormat();
  if (total === 0) return null;
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography>{say('cataloguePrices.keptText', { count: count(total) })}</Typography>
      <Table
        name={say('cataloguePrices.kept')}
        height={240}
        columns={[
          {
            key: 'id',
            label: say('catalogue.fields.id'),
            cell: ({ product_id: id }) => <Code>{id}</Code>,
          },
          {
            key: 'field',
            label: say('cataloguePrices.whichPrice'),
            cell: ({ field }) => say(`catalogue.fields.${field}`),
            phone: 'line',
          },
          {
            key: 'code',
            wrap: true,
            label: say('cataloguePrices.why'),
            cell: ({ code }) => say(`cataloguePrices.keptWhys.${code}`),
            phone: 'line',
          },
        ]}
        rows={kept}
        keyOf={({ product_id: id, field }) => `${id} ${field}`}
      />
    </Box>
  );
};

const useWords = () => {
  const say = useText();
  const { count } = useFormat();
  return (text: 'cataloguePrices.revertText' | 'cataloguePrices.revertDone', effect: Effect) =>
    say(text, { prices: count(effect.prices), products: count(effect.products) });
};

/** What was not reverted, after the rest was. */
const Result = ({ effect, onClose }: { readonly effect: Effect; readonly onClose: () => void }) => {
  const say = useText();
  const wordsOf = useWords();
  return (
    <Dialog
      title={say('cataloguePrices.revertedTitle')}
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onClose}>
          {say('common.close')}
        </Button>
      }
    >
      <Typography role="status">{wordsOf('cataloguePrices.revertDone', effect)}</Typography>
      <KeptTable {...effect} />
    </Dialog>
  );
};

const Ask = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const say = useText();
  const { count } = useFormat();
  const done = useDone();
  const wordsOf = useWords();
  const preview = useAct('previewRevert');
  const revert = useAct('revertPrices', { changes: catalogueReads });
  const [key] = useState(newKey);
  const { mutate } = preview;
  useEffect(() => mutate({ params: { change_id: id } }), [mutate, id]);
  const effect = preview.data;
  if (revert.data !== undefined) return <Result effect={revert.data} onClose={onClose} />;
  if (effect === undefined || effect.prices === 0) {
    return (
      <Dialog
        title={say('cataloguePrices.revertTitle')}
        onClose={onClose}
        actions={<Button onClick={onClose}>{say('common.close')}</Button>}
      >
        {preview.isError ? <ErrorState error={preview.error} /> : null}
        {effect === undefined && !preview.isError ? <Loading /> : null}
        {effect === undefined ? null : (
          <>
            <Typography>{say('cataloguePrices.revertNone')}</Typography>
            <KeptTable {...effect} />
          </>
        )}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      open
      title={say('cataloguePrices.revertTitle')}
      text={wordsOf('cataloguePrices.revertText', effect)}
      confirm={say('cataloguePrices.revert')}
      busy={revert.isPending}
      error={revert.error}
      onConfirm={() =>
        revert.mutate(
          { params: { change_id: id }, body: { key } },
          {
            onSuccess: (result) => {
              if (result.kept_count > 0) return;
              const { prices, products } = result;
              done('cataloguePrices.revertDone', {
                prices: count(prices),
                products: count(products),
              });
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <KeptTable {...effect} />
    </ConfirmDialog>
  );
};

export const Revert = ({
  id,
  isDone = false,
}: {
  readonly id: string;
  /** Whether it is reverted. The result that lists what is not stays open. */
  readonly isDone?: boolean;
}) => {
  const say = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isDone ? null : (
        <Button size="small" variant="outlined" onClick={() => setOpen(true)}>
          {say('cataloguePrices.revert')}
        </Button>
      )}
      {isOpen ? <Ask id={id} onClose={() => setOpen(false)} /> : null}
    </>
  );
};
