/** Shows a purchase's mobile number masked, and in full to authorized users who give a reason. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { ShowIcon } from '../design/icons.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { MaskedNumber } from '../parts/masked-number.tsx';
import { useMay } from '../session.tsx';
import type { Purchase } from './explain.ts';

/** Kept only here: it is gone with the page, also from the browser's cache. */
const useNumber = (id: string) => {
  const [number, setNumber] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const forget = (): void => setNumber(undefined);
    addEventListener('pagehide', forget);
    return () => removeEventListener('pagehide', forget);
  }, []);
  const ask = async (reason: string): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      const { mobile } = await call('unmaskPurchase', {
        params: { purchase_id: id },
        body: { reason },
      });
      setNumber(mobile);
      return true;
    } catch (problem) {
      setError(problem);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    number,
    busy,
    error,
    ask,
    hide: () => setNumber(undefined),
    calm: () => setError(undefined),
  };
};

const Unmasked = ({ number, onHide }: { readonly number: string; readonly onHide: () => void }) => {
  const say = useText();
  const { digits } = useFormat();
  return (
    <>
      <Box component="bdi" dir="ltr" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {digits(number)}
      </Box>
      <Button size="small" onClick={onHide}>
        {say('purchases.hide')}
      </Button>
      <Box component="span" sx={{ color: 'text.secondary' }}>
        {say('purchases.numberShown')}
      </Box>
    </>
  );
};

export const SubscriberNumber = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const mayUnmask = useMay('unmask');
  const [open, setOpen] = useState(false);
  const { number, busy, error, ask, hide, calm } = useNumber(purchase.id);
  const close = (): void => {
    setOpen(false);
    calm();
  };
  const confirm = async (reason: string): Promise<void> => {
    if (await ask(reason)) setOpen(false);
  };
  return (
    <Box
      component="span"
      role="status"
      sx={{ display: 'inline-flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}
    >
      {number === undefined ? (
        <MaskedNumber mobile={purchase.mobile} />
      ) : (
        <Unmasked number={number} onHide={hide} />
      )}
      {mayUnmask && number === undefined ? (
        <Button size="small" startIcon={<ShowIcon />} onClick={() => setOpen(true)}>
          {say('purchases.unmask')}
        </Button>
      ) : null}
      <ConfirmDialog
        open={open}
        title={say('purchases.unmask')}
        text={say('purchases.unmaskText')}
        confirm={say('purchases.unmask')}
        reason="required"
        busy={busy}
        error={error}
        onConfirm={(reason) => void confirm(reason)}
        onClose={close}
      />
    </Box>
  );
};
