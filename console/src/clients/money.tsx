/** Shows a client's balances and statement, and opens the deposit and correction dialogs. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useReread } from '../api/hooks.ts';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay, useMe } from '../session.tsx';
import type { Client } from './client.ts';
import { Correction } from './correction.tsx';
import { Deposit } from './deposit.tsx';
import { type Drafting, useDraft } from './draft.ts';
import { StatementPart } from './statement.tsx';

const Figure = ({
  name,
  value,
  help,
}: {
  readonly name: string;
  readonly value: string;
  readonly help: string;
}) => (
  <Box sx={{ minWidth: 0 }}>
    <Typography component="dt" color="textSecondary">
      {name}
    </Typography>
    <Box component="dd" sx={{ m: 0 }}>
      <Typography component="span" sx={{ fontSize: '1.3rem', fontWeight: 600 }}>
        {value}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {help}
      </Typography>
    </Box>
  </Box>
);

const Figures = ({ client: { available, held, day } }: { readonly client: Client }) => {
  const say = useText();
  const { money } = useFormat();
  const spent = money(day.spent);
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'repeat(auto-fit, minmax(11rem, 1fr))',
      }}
    >
      <Figure
        name={say('clients.available')}
        value={money(available)}
        help={say('clients.availableHelp')}
      />
      <Figure name={say('clients.held')} value={money(held)} help={say('clients.heldHelp')} />
      <Figure
        name={say('clients.spent')}
        value={
          day.limit === null
            ? say('clients.spentFree', { spent })
            : say('clients.spentOf', { spent, limit: money(day.limit) })
        }
        help={say('clients.spentHelp')}
      />
    </Box>
  );
};

type MoneyAction = 'deposit' | 'correct';

export const Money = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const may = useMay('money');
  const reread = useReread();
  const { account } = useMe();
  const drafts: Readonly<Record<MoneyAction, Drafting>> = {
    deposit: useDraft(`${account.id} ${client.id} deposit`),
    correct: useDraft(`${account.id} ${client.id} correct`),
  };
  const [asked, setAsked] = useState<MoneyAction | undefined>(undefined);
  const ask = (action: MoneyAction): void => {
    // An unanswered draft continues under its key instead of starting over.
    if (!drafts[action].draft.unsure) drafts[action].renew();
    void reread(['getClient']);
    setAsked(action);
  };
  const close = (): void => setAsked(undefined);
  const actions = (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      <Button variant="contained" onClick={() => ask('deposit')}>
        {say('clients.deposit')}
      </Button>
      <Button variant="outlined" onClick={() => ask('correct')}>
        {say('clients.correct')}
      </Button>
    </Box>
  );
  return (
    <>
      <Section title={say('clients.balances')} actions={may ? actions : undefined}>
        <Figures client={client} />
      </Section>
      <StatementPart client={client} />
      {asked === 'deposit' ? (
        <Deposit client={client} drafting={drafts.deposit} onClose={close} />
      ) : null}
      {asked === 'correct' ? (
        <Correction client={client} drafting={drafts.correct} onClose={close} />
      ) : null}
    </>
  );
};
