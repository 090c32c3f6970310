/** Removes a price list, or withdraws a version that has not begun, after confirmation. */
import { useNavigate } from 'react-router';
import { useAct } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { type PriceList, priceReads, type Version } from './price-list.ts';

type Props = { readonly list: PriceList; readonly onClose: () => void };

export const RemovePriceList = ({ list: { id, name }, onClose }: Props) => {
  const say = useText();
  const done = useDone();
  const navigate = useNavigate();
  const remove = useAct('removePriceList', { changes: ['listPriceLists'] });
  const onSuccess = (): void => {
    done('priceLists.removed');
    void navigate('/price-lists');
  };
  return (
    <ConfirmDialog
      open
      danger
      title={say('priceLists.removeTitle', { name })}
      text={say('priceLists.removeText')}
      confirm={say('priceLists.remove')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { price_list_id: String(id) } }, { onSuccess })}
      onClose={onClose}
    />
  );
};

export const WithdrawVersion = ({
  list: { id },
  version: { number },
  onClose,
}: Props & { readonly version: Version }) => {
  const say = useText();
  const { count } = useFormat();
  const done = useDone();
  const remove = useAct('removePriceListVersion', { changes: priceReads });
  const onSuccess = (): void => {
    done('priceLists.withdrawn');
    onClose();
  };
  const params = { price_list_id: String(id), number: String(number) };
  // A list without versions has no table of them: by then this dialog may be gone. Its error is shown in it.
  const withdraw = (): void => void remove.mutateAsync({ params }).then(onSuccess, () => {});
  return (
    <ConfirmDialog
      open
      danger
      title={say('priceLists.withdrawTitle', { number: count(number) })}
      text={say('priceLists.withdrawText')}
      confirm={say('priceLists.withdraw')}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
};
