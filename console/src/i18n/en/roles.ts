/** Contains the English names of roles and account states. */
export const roles = {
  viewer: 'Viewer',
  support: 'Support',
  manager: 'Manager',
  owner: 'Owner',
  viewerMay:
    'Views purchases, clients, catalogue, operators and settings. Mobile numbers are masked.',
  supportMay:
    'Also decides purchases that need review, sees routes, price lists, costs and margins, and can search and show mobile numbers.',
  managerMay:
    'Also manages the catalogue, routes, price lists, clients, their balances and credit, floats at suppliers, suspends operators, and reads the audit log.',
  ownerMay: 'Also manages accounts and settings, including those of operators.',
  active: 'Active',
  disabled: 'Disabled',
} as const;
