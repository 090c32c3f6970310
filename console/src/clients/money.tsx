/** Shows a client's balances, credit and statement, and opens the dialogs that change them. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import type { Client } from './client.ts';
import { Correction } from './correction.tsx';
import { CreditButton } from './credit.tsx';
import { useMoneyDialog } from './draft.ts';
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

const Figures = ({ client }: { readonly client: Client }) => {
  const { available, held, day, credit_limit: limit, credit_used: used } = client;
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
        name={say('clients.creditLimit')}
        value={money(limit)}
        help={say('clients.creditUsed', { used: money(used) })}
      />
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

export const Money = ({ client }: { readonly client: Client }) => {
  const say = useText();
  const may = useMay('money');
  const mayCredit = useMay('credit');
  const { drafting, isOpen, open, close } = useMoneyDialog(client.id, 'correct');
  const invoices = (
    <Button variant="outlined" component={Link} to={`/invoices?client_id=${client.id}`}>
      {say('invoices.ofClient')}
    </Button>
  );
  return (
    <>
      <Section
        title={say('clients.balances')}
        actions={
          may || mayCredit ? (
            <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
              {invoices}
              {mayCredit ? <CreditButton key={client.id} client={client} /> : null}
              {may ? (
                <Button variant="outlined" onClick={open}>
                  {say('clients.correct')}
                </Button>
              ) : null}
            </Box>
          ) : (
            invoices
          )
        }
      >
        <Figures client={client} />
      </Section>
      <StatementPart client={client} />
      {isOpen ? <Correction client={client} drafting={drafting} onClose={close} /> : null}
    </>
  );
};
