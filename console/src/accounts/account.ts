/** Defines the account types and the roles, from fewest to most permissions. */
import type { Answer } from '../api/client.ts';
import type { Role } from '../session.tsx';

export type Account = Answer<'listAccounts'>['data'][number];
export type Link = Answer<'createAccount'>;

/** From the least to the most. */
export const roles = ['viewer', 'support', 'manager', 'owner'] as const satisfies readonly Role[];
