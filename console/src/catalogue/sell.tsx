/** Enables or disables the sale of one product. */
import Box from '@mui/material/Box';
import Switch from '@mui/material/Switch';
import { useAct } from '../api/hooks.ts';
import { Badge } from '../design/data/badge.tsx';
import { sentenceOf, useText } from '../i18n/text.ts';
import { notify } from '../notifications.ts';
import { useDone } from '../parts/done.ts';
import { useMay } from '../session.tsx';
import { type Product, useProductName } from './names.ts';

/** Queries to invalidate after any change of the catalogue. */
export const catalogueReads = [
  'listProducts',
  'getProduct',
  'listCategories',
  'listProductPrices',
  'listPriceChanges',
  'getPriceChange',
] as const;

type Props = { readonly product: Pick<Product, 'id' | 'name' | 'name_en' | 'on'> };

const SellSwitch = ({ product }: Props) => {
  const say = useText();
  const done = useDone();
  const name = useProductName()(product);
  const act = useAct('switchProducts', { changes: catalogueReads });
  const shown = act.isPending ? act.variables.body.on : product.on;
  const change = (on: boolean): void => {
    // Not disabled during the request, which would lose the focus; a second click does nothing.
    if (act.isPending) return;
    act.mutate(
      { body: { product_ids: [product.id], on } },
      {
        onSuccess: () => done(on ? 'catalogue.isOn' : 'catalogue.isOff', { name }),
        onError: (error) => notify('error', sentenceOf(say, error)),
      },
    );
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
      <Switch
        size="small"
        checked={shown}
        onChange={({ target }) => change(target.checked)}
        slotProps={{
          input: {
            'aria-label': say('catalogue.sell', { name }),
            'aria-disabled': act.isPending,
          },
        }}
      />
      <span aria-hidden="true">{say(shown ? 'catalogue.on' : 'catalogue.off')}</span>
    </Box>
  );
};

/** A switch with the permission to change the catalogue, and text without it. */
export const Sell = ({ product }: Props) => {
  const say = useText();
  if (useMay('catalogue')) return <SellSwitch product={product} />;
  const { on } = product;
  return <Badge tone={on ? 'good' : 'plain'} label={say(on ? 'catalogue.on' : 'catalogue.off')} />;
};
