/** Contains the English names of roles and account states. */
export const roles = {
  viewer: 'Viewer',
  support: 'Support',
  manager: 'Manager',
  owner: 'Owner',
  viewerMay: 'Sees everything but the audit.',
  supportMay: 'Also decides purchases that need review.',
  managerMay: 'Also changes the catalogue, clients and their money, and reads the audit.',
  ownerMay: 'Also changes accounts and settings.',
  active: 'Active',
  disabled: 'Disabled',
} as const;
