/** Shows the details of a purchase; its mobile number is masked. */
import Link from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useOperators, useProductName } from '../catalogue/names.ts';
import { Code } from '../design/data/code.tsx';
import { DescriptionList } from '../design/data/description-list.tsx';
import { Section } from '../design/page/section.tsx';
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { TestBadge } from '../parts/test-badge.tsx';
import type { Purchase } from './explain.ts';
import { SubscriberNumber } from './unmask.tsx';

type Rows = readonly (readonly [name: string, value: ReactNode])[];

const useWhat = (purchase: Purchase): Rows => {
  const say = useText();
  const { money } = useFormat();
  const { nameOf } = useOperators();
  const { product, client, offer_code: code, offer_type: type, profile_id: profile } = purchase;
  const { supplier_id: supplier } = purchase;
  const productName = useProductName()(product);
  return [
    [
      say('purchases.client'),
      <span key="client">
        <Link component={RouterLink} to={`/clients/${client.id}`}>
          {client.name}
        </Link>{' '}
        <TestBadge test={client.test} />
      </span>,
    ],
    [say('purchases.number'), <SubscriberNumber key="number" purchase={purchase} />],
    [
      say('purchases.product'),
      productName === null
        ? String(product.id)
        : say('purchases.productOf', { name: productName, id: product.id }),
    ],
    [say('purchases.amount'), money(purchase.amount)],
    [
      say('purchases.operator'),
      purchase.operator_id === null ? say('common.none') : nameOf(purchase.operator_id),
    ],
    ...(supplier === null || supplier === purchase.operator_id || client.test
      ? []
      : [[say('purchases.supplier'), nameOf(supplier)] as const]),
    ...(code === null
      ? []
      : [[say('purchases.offer'), say('purchases.offerOf', { code, type: type ?? '' })] as const]),
    ...(profile === null
      ? []
      : [[say('purchases.profile'), <Code key="profile">{profile}</Code>] as const]),
  ];
};

const useProgress = (purchase: Purchase): Rows => {
  const say = useText();
  const { time, count } = useFormat();
  const { settled_at: settled, due_at: due } = purchase;
  return [
    [say('purchases.began'), time(purchase.began_at)],
    [say('purchases.settled'), settled === null ? say('purchases.notSettled') : time(settled)],
    ...(due === null ? [] : [[say('purchases.due'), time(due)] as const]),
    [say('purchases.attempts'), count(purchase.attempts)],
    [say('purchases.inquiries'), count(purchase.inquiries)],
  ];
};

const useNames = (purchase: Purchase): Rows => {
  const say = useText();
  const { operator_ref: ref } = purchase;
  return [
    [say('purchases.code'), <Code key="code">{purchase.webservice_code}</Code>],
    [say('purchases.key'), <Code key="key">{purchase.idempotency_key}</Code>],
    [say('purchases.id'), <Code key="id">{purchase.id}</Code>],
    ...(ref === null
      ? []
      : [[say('purchases.operatorRef'), <Code key="ref">{ref}</Code>] as const]),
    [say('purchases.requestId'), <Code key="request">{purchase.request_id}</Code>],
  ];
};

export const Facts = ({ purchase }: { readonly purchase: Purchase }) => {
  const say = useText();
  const rows = [...useWhat(purchase), ...useProgress(purchase), ...useNames(purchase)];
  return (
    <Section title={say('purchases.facts')}>
      <DescriptionList rows={rows} />
    </Section>
  );
};
