/** Defines the commands for back office accounts: create, list, disable, password. */
import { text as readAll } from 'node:stream/consumers';
import {
  accountNamed,
  createAccount,
  createSetup,
  type Setup,
  setPassword,
  updateAccount,
} from '../../admin/access/accounts.ts';
import { createPasswords } from '../../admin/access/passwords/password.ts';
import { roles } from '../../admin/access/roles.ts';
import { listAccounts } from '../../admin/access/store.ts';
import type { AdminDeps } from '../../admin/audit/audit.ts';
import { readConfig } from '../../config/config.ts';
import { createLockRetry } from '../../db/lock-retry.ts';
import { systemClock } from '../../lib/clock.ts';
import { commandActor } from '../actor.ts';
import { byOption } from '../audited.ts';
import {
  type Arguments,
  type Command,
  choiceOption,
  iso,
  isoOrNull,
  operand,
  table,
  withDatabase,
} from '../definition.ts';

const fromStdin = {
  'password-stdin': {
    about: 'Read the password from standard input. Without it, print a link that sets one.',
  },
};

/** One line, as other programs pass a password. */
const readPassword = async (args: Arguments): Promise<string | undefined> => {
  if (args.options.get('password-stdin') !== true) return undefined;
  return (await readAll(process.stdin)).replace(/\r?\n$/, '');
};

const withAdmin = <T>(work: (deps: AdminDeps) => Promise<T>): Promise<T> =>
  withDatabase((deps) =>
    work({
      ...deps,
      passwords: createPasswords({ random: deps.random }),
      retryLocked: createLockRetry(systemClock),
    }),
  );

/** The token is in the fragment, which browsers never send to a server. */
const linkOf = ({ token }: Setup): string => {
  const { publicUrl, host, port } = readConfig();
  return `${publicUrl ?? `http://${host}:${port}`}/console/setup#${token}`;
};

const told = (name: string, setup: Setup | undefined) =>
  setup === undefined
    ? { data: {}, text: '' }
    : {
        data: {
          setup_token: setup.token,
          setup_link: linkOf(setup),
          setup_until: iso(setup.until),
        },
        text: `\nShare this link with ${name} to set a password. It is shown once and valid until ${iso(setup.until)}:\n\n  ${linkOf(setup)}\n`,
      };

export const adminCreate: Command = {
  name: 'admin create',
  summary: 'Create a console account and a link that sets its password.',
  operands: ['NAME'],
  options: {
    role: { value: 'ROLE', about: `One of ${roles.join(', ')} (default: owner).` },
    ...fromStdin,
    ...byOption,
  },
  run: async (args) => {
    const role = choiceOption(args, 'role', roles) ?? 'owner';
    const who = commandActor(args);
    const password = await readPassword(args);
    const wanted = {
      name: operand(args, 0),
      role,
      ...(password === undefined ? {} : { password }),
    };
    const { account, setup } = await withAdmin((deps) => createAccount(deps, who, wanted));
    const { data, text } = told(account.name, setup);
    return {
      data: { id: account.id, name: account.name, role, ...data },
      text: `Created the account ${account.name} with the role ${role}.${text}`,
    };
  },
};

export const adminList: Command = {
  name: 'admin list',
  summary: 'List console accounts.',
  run: async () => {
    const accounts = await withAdmin(({ db }) => listAccounts(db));
    const shown = accounts.map((account) => ({
      id: account.id,
      name: account.name,
      role: account.role,
      status: account.status,
      password: account.password !== null,
      totp: account.totp_secret !== null,
      passkeys: account.passkeys,
      created_at: iso(account.created_at),
      signed_in_at: isoOrNull(account.signed_in_at),
    }));
    return {
      data: shown,
      text: table(
        {
          NAME: 'name',
          ROLE: 'role',
          STATUS: 'status',
          PASSWORD: 'password',
          'TWO-FACTOR': 'totp',
          'LAST SIGN-IN': 'signed_in_at',
        },
        shown.map(({ password, totp, passkeys, signed_in_at: signedIn, ...one }) => ({
          ...one,
          password: password ? 'set' : 'none',
          totp: totp || passkeys > 0 ? 'on' : 'off',
          signed_in_at: signedIn ?? 'never',
        })),
      ),
    };
  },
};

export const adminDisable: Command = {
  name: 'admin disable',
  summary: 'Disable an account and end its sessions.',
  operands: ['NAME'],
  options: { undo: { about: 'Enable a disabled account.' }, ...byOption },
  run: async (args) => {
    const status = args.options.get('undo') === true ? 'active' : 'disabled';
    const who = commandActor(args);
    const { name } = await withAdmin(async (deps) => {
      const { id } = await accountNamed(deps.db, operand(args, 0));
      return updateAccount(deps, who, id, { status });
    });
    return { data: { name, status }, text: `Account ${name} is ${status}.` };
  },
};

export const adminPassword: Command = {
  name: 'admin password',
  summary: 'Create a link that sets a new password. The old password and all sessions end.',
  operands: ['NAME'],
  options: { ...fromStdin, ...byOption },
  run: async (args) => {
    const who = commandActor(args);
    const password = await readPassword(args);
    return withAdmin(async (deps) => {
      const { id, name } = await accountNamed(deps.db, operand(args, 0));
      if (password !== undefined) {
        await setPassword(deps, who, id, password);
        return { data: { name }, text: `The password of ${name} is changed.` };
      }
      const { setup } = await createSetup(deps, who, id);
      const { data, text } = told(name, setup);
      return { data: { name, ...data }, text: `The password of ${name} is deleted.${text}` };
    });
  },
};
