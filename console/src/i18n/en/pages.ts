/** Owns the English names of pages, as the menu shows them. */
export const pages = {
  overview: 'Overview',
  accounts: 'Accounts',
  audit: 'Audit',
  ownAccount: 'My account',
};
