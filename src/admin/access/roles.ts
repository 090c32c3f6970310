/** Defines the roles of the back office and their permissions. Pure. */

/** From the least to the most: each may do all that those before it may. */
export const roles = ['viewer', 'support', 'manager', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What each role may do that the one before it may not. */
const added = {
  viewer: ['read'],
  support: ['resolve', 'unmask', 'routes_read', 'prices_read', 'cost'],
  manager: ['catalogue', 'routes', 'prices', 'clients', 'money', 'credit', 'float', 'audit'],
  owner: ['accounts', 'settings'],
} as const satisfies Record<Role, readonly string[]>;

export type Right = (typeof added)[Role][number];

/** All that there are. */
export const rights: readonly Right[] = roles.flatMap((role): readonly Right[] => added[role]);

export const rightsOf = (role: Role): readonly Right[] =>
  roles.slice(0, roles.indexOf(role) + 1).flatMap((one): readonly Right[] => added[one]);

export const mayDo = (role: Role, right: Right): boolean => rightsOf(role).includes(right);
