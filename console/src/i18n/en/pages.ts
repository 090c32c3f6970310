/** Contains the English page names that the menu shows. */
export const pages = {
  overview: 'Overview',
  sales: 'Sales',
  purchases: 'Purchases',
  accounts: 'Accounts',
  audit: 'Audit log',
  catalogue: 'Catalogue',
  operators: 'Operators',
  routes: 'Routes',
  priceLists: 'Price lists',
  settings: 'Settings',
  clients: 'Clients',
  invoices: 'Invoices',
  ownAccount: 'My account',
} as const;
