/** Owns what react-admin's own parts are told about who is signed in. The frame lets in and out. */
import type { AuthProvider } from 'ra-core';
import { call } from './client.ts';

export const authProvider: AuthProvider = {
  login: async () => undefined,
  // Nobody gets to a page without a session: the frame sees to that, also when it ends on the way.
  checkAuth: async () => undefined,
  checkError: async () => undefined,
  logout: async () => {
    await call('signOut', {}).catch(() => undefined);
  },
  getPermissions: async () => (await call('getMe', {})).rights,
  getIdentity: async () => {
    const { account } = await call('getMe', {});
    return { id: account.id, fullName: account.name };
  },
};
