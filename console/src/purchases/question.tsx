/** Asks about a purchase that is not made: which product, by which client, and when. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Form } from '../design/input/form.tsx';
import { TimeField } from '../design/input/time-field.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useChosenClient, useChosenProduct } from '../routing/chosen.ts';
import { fromField } from '../zoned.ts';
import { ClientPicker, ProductPicker } from './pickers.tsx';

export type Question = {
  readonly product_id: string;
  readonly client_id?: string;
  readonly at?: string;
};

type Typed = { readonly product: string; readonly client: string; readonly at: string };

const questionOf = ({ product, client, at }: Typed, zone: string): Question => {
  const moment = fromField(at, zone);
  return {
    product_id: product,
    ...(client === '' ? {} : { client_id: client }),
    ...(moment === '' ? {} : { at: moment }),
  };
};

export const QuestionForm = ({
  title,
  text,
  client: first = '',
  onAsk,
}: {
  readonly title: string;
  readonly text: string;
  /** The ID of the client to begin with. */
  readonly client?: string;
  /** Undefined as soon as something else is typed. */
  readonly onAsk: (question: Question | undefined) => void;
}) => {
  const say = useText();
  const { zone } = useFormat();
  const [typed, setTyped] = useState<Typed>({ product: '', client: first, at: '' });
  const [isTried, setTried] = useState(false);
  const [product, client] = [useChosenProduct(typed.product), useChosenClient(typed.client)];
  const set = (some: Partial<Typed>): void => {
    setTyped({ ...typed, ...some });
    onAsk(undefined);
  };
  const ask = (): void => {
    setTried(true);
    if (typed.product !== '') onAsk(questionOf(typed, zone));
  };
  return (
    <Form wide label={title} onSubmit={ask}>
      <Typography color="textSecondary">{text}</Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
          alignItems: 'start',
        }}
      >
        <ProductPicker
          chosen={product}
          help={isTried && typed.product === '' ? say('question.productNeeded') : undefined}
          onChoose={(id) => set({ product: id })}
        />
        <ClientPicker autoFocus={false} chosen={client} onChoose={(id) => set({ client: id })} />
        <TimeField
          kind="moment"
          label={say('question.at')}
          help={`${say('question.atHelp')} ${say('times.inZone', { zone })}`}
          value={typed.at}
          onChange={(at) => set({ at })}
        />
      </Box>
      <Button type="submit" variant="outlined" sx={{ justifySelf: 'start' }}>
        {say('question.explain')}
      </Button>
    </Form>
  );
};
