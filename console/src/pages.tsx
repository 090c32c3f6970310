/** Lists the console's pages, from which the menu and the routes are built. */

import { type ComponentType, lazy } from 'react';
import {
  AccountsIcon,
  AuditIcon,
  CatalogueIcon,
  ClientsIcon,
  OperatorsIcon,
  OverviewIcon,
  OwnAccountIcon,
  PurchasesIcon,
  SettingsIcon,
} from './design/icons.tsx';
import { InvoicesIcon, PriceListsIcon, RoutesIcon, SalesIcon } from './design/more-icons.tsx';
import type { TextKey } from './i18n/text.ts';
import type { Right } from './session.tsx';

/** The groups of the menu, in order. */
export const menuGroups = ['sales', 'selling', 'administration'] as const;
export type MenuGroup = (typeof menuGroups)[number];

export type Page = {
  readonly name: string;
  /** Relative to the console's own; the page also gets everything below it. */
  readonly path: string;
  readonly icon: ComponentType;
  readonly label: TextKey;
  /** Where it is in the menu; undefined: elsewhere. */
  readonly group?: MenuGroup;
  /** Without it, neither the page nor its menu entry is visible. */
  readonly right?: Right;
  readonly view: ComponentType;
};

/** In the order of the menu. The first visible one is the start page. */
export const pages: readonly Page[] = [
  {
    name: 'overview',
    path: '/overview',
    icon: OverviewIcon,
    label: 'pages.overview',
    group: 'sales',
    right: 'read',
    view: lazy(() => import('./overview/page.tsx')),
  },
  {
    name: 'sales',
    path: '/sales',
    icon: SalesIcon,
    label: 'pages.sales',
    group: 'sales',
    right: 'read',
    view: lazy(() => import('./sales/page.tsx')),
  },
  {
    name: 'purchases',
    path: '/purchases',
    icon: PurchasesIcon,
    label: 'pages.purchases',
    group: 'sales',
    right: 'read',
    view: lazy(() => import('./purchases/page.tsx')),
  },
  {
    name: 'clients',
    path: '/clients',
    icon: ClientsIcon,
    label: 'pages.clients',
    group: 'sales',
    right: 'read',
    view: lazy(() => import('./clients/page.tsx')),
  },
  {
    name: 'invoices',
    path: '/invoices',
    icon: InvoicesIcon,
    label: 'pages.invoices',
    group: 'sales',
    right: 'read',
    view: lazy(() => import('./invoices/page.tsx')),
  },
  {
    name: 'catalogue',
    path: '/catalogue',
    icon: CatalogueIcon,
    label: 'pages.catalogue',
    group: 'selling',
    right: 'read',
    view: lazy(() => import('./catalogue/page.tsx')),
  },
  {
    name: 'price-lists',
    path: '/price-lists',
    icon: PriceListsIcon,
    label: 'pages.priceLists',
    group: 'selling',
    right: 'prices_read',
    view: lazy(() => import('./price-lists/page.tsx')),
  },
  {
    name: 'operators',
    path: '/operators',
    icon: OperatorsIcon,
    label: 'pages.operators',
    group: 'selling',
    right: 'read',
    view: lazy(() => import('./operators/page.tsx')),
  },
  {
    name: 'routes',
    path: '/routes',
    icon: RoutesIcon,
    label: 'pages.routes',
    group: 'selling',
    right: 'routes_read',
    view: lazy(() => import('./routing/page.tsx')),
  },
  {
    name: 'accounts',
    path: '/accounts',
    icon: AccountsIcon,
    label: 'pages.accounts',
    group: 'administration',
    right: 'accounts',
    view: lazy(() => import('./accounts/page.tsx')),
  },
  {
    name: 'audit',
    path: '/audit',
    icon: AuditIcon,
    label: 'pages.audit',
    group: 'administration',
    right: 'audit',
    view: lazy(() => import('./audit/page.tsx')),
  },
  {
    name: 'settings',
    path: '/settings',
    icon: SettingsIcon,
    label: 'pages.settings',
    group: 'administration',
    right: 'read',
    view: lazy(() => import('./settings/page.tsx')),
  },
  {
    name: 'own-account',
    path: '/me',
    icon: OwnAccountIcon,
    label: 'pages.ownAccount',
    view: lazy(() => import('./own-account/page.tsx')),
  },
];
