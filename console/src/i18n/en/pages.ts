/** Owns the English names of pages, as the menu shows them. */
export const pages = {
  overview: 'Overview',
  purchases: 'Purchases',
  accounts: 'Accounts',
  audit: 'Audit',
  catalogue: 'Catalogue',
  operators: 'Operators',
  settings: 'Settings',
  clients: 'Clients',
  ownAccount: 'My account',
} as const;
