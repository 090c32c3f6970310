/** Shows the price list that a client is in, and puts it into another. */
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { useAct, useRead } from '../api/hooks.ts';
import { ConfirmDialog } from '../design/dialog/confirm-dialog.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { useText } from '../i18n/text.ts';
import { useDone } from '../parts/done.ts';
import { priceReads } from '../price-lists/price-list.ts';
import { useListName, usePriceLists } from '../price-lists/words.tsx';
import { useMay } from '../session.tsx';
import type { Client } from './client.ts';

const Change = ({
  client: { id, name },
  current,
  onClose,
}: {
  readonly client: Client;
  readonly current: number;
  readonly onClose: () => void;
}) => {
  const say = useText();
  const done = useDone();
  const { read, lists, nameOf } = usePriceLists();
  const nameIn = useListName();
  const assign = useAct('assignPriceList', { changes: priceReads });
  const [chosen, setChosen] = useState(String(current));
  const confirm = (): void =>
    assign.mutate(
      { params: { client_id: id }, body: { price_list_id: Number(chosen) } },
      {
        onSuccess: ({ price_list_id: list, price_list: listName }) => {
          done('priceLists.changed', {
            client: name,
            list: nameIn({ id: list, name: listName }),
          });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      title={say('priceLists.changeTitle', { name })}
      text={say('priceLists.changeText')}
      confirm={say('priceLists.changeSubmit')}
      busy={assign.isPending}
      error={assign.error ?? read.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        select
        label={say('priceLists.list')}
        value={lists.length === 0 ? '' : chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        {lists.map((list) => (
          <MenuItem key={list.id} value={String(list.id)}>
            {nameOf(list)}
          </MenuItem>
        ))}
      </TextField>
    </ConfirmDialog>
  );
};

export const PriceListPart = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const may = useMay('prices');
  const nameOf = useListName();
  const [isOpen, setOpen] = useState(false);
  const read = useRead('getClientPriceList', { params: { client_id: client.id } });
  const list = read.data ?? undefined;
  return (
    <Section
      title={say('priceLists.clientTitle')}
      actions={
        may && list !== undefined ? (
          <Button variant="outlined" onClick={() => setOpen(true)}>
            {say('priceLists.change')}
          </Button>
        ) : undefined
      }
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {list === undefined ? (
        // The line that comes.
        <span>&nbsp;</span>
      ) : (
        <span>
          <Link component={RouterLink} to={`/price-lists/${list.price_list_id}`}>
            <bdi>{nameOf({ id: list.price_list_id, name: list.price_list })}</bdi>
          </Link>
          {' · '}
          <Link component={RouterLink} to={`/price-lists?explain=1&client=${client.id}`}>
            {say('priceLists.explain')}
          </Link>
        </span>
      )}
      {isOpen && list !== undefined ? (
        <Change client={client} current={list.price_list_id} onClose={() => setOpen(false)} />
      ) : null}
    </Section>
  );
};
