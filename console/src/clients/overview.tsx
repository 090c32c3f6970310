/** Shows how a client is doing: what was sold in 30 days, its balance, its limits, webhooks and contact. */
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Answer } from '../api/client.ts';
import { useRead } from '../api/hooks.ts';
import { DescriptionList } from '../design/data/description-list.tsx';
import { type Delta, Stat, Stats } from '../design/data/stat.tsx';
import { Section } from '../design/page/section.tsx';
import { ErrorState } from '../design/states/error-state.tsx';
import { Loading } from '../design/states/loading.tsx';
import { type Format, useFormat } from '../format.ts';
import { type Say, useText } from '../i18n/text.ts';
import { useMay } from '../session.tsx';
import { daysBack, toField } from '../zoned.ts';
import type { Client } from './client.ts';
import { ContactFacts } from './contact.tsx';
import { EndpointHealth } from './endpoint-health.tsx';
import { PriceListPart } from './price-list.tsx';
import { rulesInWords } from './rules-typed.ts';
import { useOperatorNames } from './use-operator-names.ts';

type Of = { readonly client: Client };

const daysShown = 30;

// The gateway counts no further.
const mostOutcomes = 10_000;

type Outcomes = Answer<'countClientOutcomes'>;

/** What happened in the last 30 business days, with today. */
const useMonth = ({ id }: Client) => {
  const { zone } = useFormat();
  const now = Date.now();
  const span = daysBack(now, zone, daysShown - 1, 0);
  const dayOf = (at: string): string => toField(at, zone).slice(0, 10);
  const sales = useRead('getSales', {
    query: {
      client_id: id,
      from: dayOf(span.from),
      to: dayOf(new Date(now).toISOString()),
      compare: 'true',
    },
  });
  const outcomes = useRead('countClientOutcomes', { params: { client_id: id }, query: span });
  return { sales, outcomes };
};

/** Nothing before is no base to compare with. */
const deltaOf = (
  say: Say,
  { percent }: Format,
  now: number,
  before: number | undefined,
): { readonly delta?: Delta } => {
  if (before === undefined || before <= 0) return {};
  const change = (now - before) / before;
  if (change === 0) {
    return { delta: { text: say('clientOverview.same'), direction: 'flat', tone: 'plain' } };
  }
  const direction = change > 0 ? 'up' : 'down';
  return {
    delta: {
      text: say(`clientOverview.${direction}`, { percent: percent(Math.abs(change)) }),
      direction,
      tone: change > 0 ? 'good' : 'bad',
    },
  };
};

const rateOf = (sold: number, { failed }: Outcomes): number | undefined =>
  sold + failed === 0 ? undefined : sold / (sold + failed);

const Month = ({ client }: Of) => {
  const say = useText();
  const format = useFormat();
  const { money, count, percent } = format;
  const { sales, outcomes } = useMonth(client);
  const totals = sales.data?.totals;
  const before = sales.data?.previous?.totals;
  const none = say('common.none');
  const counted = (value: number): string =>
    value < mostOutcomes
      ? count(value)
      : say('clientOverview.atLeast', { count: count(mostOutcomes) });
  const rate = totals && outcomes.data ? rateOf(totals.sold, outcomes.data) : undefined;
  return (
    <>
      <ErrorState error={sales.error} retry={() => void sales.refetch()} />
      <ErrorState error={outcomes.error} retry={() => void outcomes.refetch()} />
      <Stats>
        <Stat
          label={say('clientOverview.sold')}
          value={totals === undefined ? none : money(totals.amount)}
          {...(totals === undefined ? {} : deltaOf(say, format, totals.amount, before?.amount))}
          {...(totals === undefined || totals.reversed === 0
            ? {}
            : { help: say('clientOverview.reversed', { amount: money(totals.reversed_amount) }) })}
        />
        <Stat
          label={say('clientOverview.count')}
          value={totals === undefined ? none : count(totals.sold)}
          {...(totals === undefined ? {} : deltaOf(say, format, totals.sold, before?.sold))}
          link={{
            to: `/purchases?client_id=${client.id}`,
            text: say('clientOverview.toPurchases'),
          }}
        />
        <Stat
          label={say('clientOverview.rate')}
          value={rate === undefined ? none : percent(rate)}
          {...(outcomes.data
            ? {
                help: say('clientOverview.rateHelp', {
                  failed: counted(outcomes.data.failed),
                  refused: counted(outcomes.data.refused),
                }),
              }
            : {})}
        />
        <Stat
          label={say('clientOverview.balance')}
          value={money(client.available)}
          help={say('clientOverview.heldHelp', { held: money(client.held) })}
          link={{ to: '?tab=money', text: say('clientOverview.toMoney') }}
        />
      </Stats>
    </>
  );
};

const More = ({ tab, text }: { readonly tab: string; readonly text: string }) => (
  <Link component={RouterLink} to={`?tab=${tab}`} variant="body2">
    {text}
  </Link>
);

const Limits = ({ client: { rules, day } }: Of) => {
  const say = useText();
  const format = useFormat();
  const nameOf = useOperatorNames();
  const spent = format.money(day.spent);
  return (
    <Section
      title={say('clientOverview.limits')}
      actions={<More tab="rules" text={say('clientOverview.toRules')} />}
    >
      <DescriptionList
        rows={[
          ...rulesInWords(say, format, rules, nameOf),
          [
            say('clientOverview.spent'),
            day.limit === null
              ? say('clients.spentFree', { spent })
              : say('clients.spentOf', { spent, limit: format.money(day.limit) }),
          ],
        ]}
      />
    </Section>
  );
};

const Endpoints = ({ client: { id } }: Of) => {
  const say = useText();
  const read = useRead('listClientWebhooks', { params: { client_id: id } });
  const endpoints = read.data?.data ?? [];
  return (
    <Section
      title={say('clientOverview.webhooks')}
      actions={<More tab="webhooks" text={say('clientOverview.toWebhooks')} />}
    >
      <ErrorState error={read.error} retry={() => void read.refetch()} />
      {read.data && endpoints.length === 0 ? say('clientWebhooks.none') : null}
      {endpoints.length === 0 ? null : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
          {endpoints.map((endpoint) => (
            <Box
              component="li"
              key={endpoint.id}
              sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}
            >
              <EndpointHealth endpoint={endpoint} />
              <Box component="bdi" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
                {endpoint.url}
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Section>
  );
};

export const Overview = ({ client }: Of) => {
  const say = useText();
  const { sales, outcomes } = useMonth(client);
  const maySeePrices = useMay('prices_read');
  // Figures that came later would push the rest down.
  if (sales.isPending || outcomes.isPending) return <Loading shape="page" />;
  return (
    <>
      <Month client={client} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 24rem), 1fr))',
        }}
      >
        <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
          {maySeePrices ? <PriceListPart client={client} /> : null}
          <Limits client={client} />
        </Box>
        <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
          <Section
            title={say('clientContact.title')}
            actions={<More tab="contact" text={say('clientOverview.toContact')} />}
          >
            <ContactFacts client={client} />
          </Section>
          <Endpoints client={client} />
        </Box>
      </Box>
    </>
  );
};
