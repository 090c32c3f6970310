/** Serves account management over HTTP, for owners. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { answer } from '../../lib/openapi/answer.ts';
import { formatTime } from '../../lib/time.ts';
import {
  AccountSchema,
  accountToWire,
  bodyOf,
  exampleAccount,
  exampleSetup,
  guarded,
  nothing,
  RoleSchema,
  refusals,
  SetupSchema,
  StatusSchema,
} from '../wire.ts';
import {
  createAccount,
  createSetup,
  endSessions,
  resetTotp,
  type Setup,
  updateAccount,
} from './accounts.ts';
import { actorIn, type GuardDeps } from './guard.ts';
import { type AccountRow, listAccounts } from './store.ts';

const accounts = { tags: ['Accounts'] };
const ofOne = [...guarded, 'ACCOUNT_NOT_FOUND'] as const;
const params = Type.Object({
  account_id: Type.String({ description: 'The ID of the account.', examples: [exampleAccount.id] }),
});
const oneAccount = answer(AccountSchema, 'The account.', exampleAccount);
const oneSetup = answer(SetupSchema, 'The account and its setup link.', exampleSetup);

const schemas = {
  list: {
    ...accounts,
    operationId: 'listAccounts',
    summary: 'List accounts',
    description: 'Returns all accounts, sorted by name.',
    response: {
      200: answer(
        Type.Object({
          data: Type.Array(AccountSchema, { description: 'All accounts.' }),
          second_factor_roles: Type.Array(RoleSchema, {
            description: 'Roles that require two-factor authentication.',
          }),
        }),
        'The accounts.',
        { data: [exampleAccount], second_factor_roles: ['owner'] },
      ),
      ...refusals(...guarded),
    },
  },
  create: {
    ...accounts,
    operationId: 'createAccount',
    summary: 'Create an account',
    description:
      'Creates an account and a setup link. The link sets the password, works once, and expires after a day.',
    body: bodyOf(
      {
        name: Type.String({ maxLength: 64, description: 'The sign-in name.' }),
        role: RoleSchema,
      },
      { name: 'helpdesk', role: 'viewer' },
    ),
    response: { 201: oneSetup, ...refusals(...guarded, 'NAME_TAKEN', 'NAME_INVALID') },
  },
  change: {
    ...accounts,
    operationId: 'updateAccount',
    summary: 'Update an account',
    description: 'Updates the fields that you send. A change ends all sessions of the account.',
    params,
    body: bodyOf(
      { role: Type.Optional(RoleSchema), status: Type.Optional(StatusSchema) },
      { role: 'support', status: 'active' },
    ),
    response: { 200: oneAccount, ...refusals(...ofOne, 'LAST_OWNER') },
  },
  setup: {
    ...accounts,
    operationId: 'createSetup',
    summary: 'Create a new setup link',
    description: 'Removes the password and ends all sessions. The link sets a new password.',
    params,
    response: { 201: oneSetup, ...refusals(...ofOne, 'LAST_OWNER', 'ACCOUNT_DISABLED') },
  },
  sessions: {
    ...accounts,
    operationId: 'endSessions',
    summary: 'End all sessions of an account',
    description: 'Signs the account out everywhere at once.',
    params,
    response: { 204: nothing('The sessions were ended.'), ...refusals(...ofOne) },
  },
  totp: {
    ...accounts,
    operationId: 'resetTotp',
    summary: 'Reset two-factor authentication',
    description:
      'Removes the authenticator app of an account and ends all its sessions. Use it if the device was lost.',
    params,
    response: { 204: nothing('Two-factor authentication is off.'), ...refusals(...ofOne) },
  },
};

const setupToWire = (account: AccountRow, { token, until }: Setup) => ({
  account: accountToWire(account),
  setup_token: token,
  setup_until: formatTime(until),
});

const config = { adminNeeds: 'accounts' } as const;
/** For what gives another person rights or a way in. */
const grave = { adminNeeds: 'accounts', adminFresh: true } as const;
const base = '/admin/api/accounts';

export const accountRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(base, { config, schema: schemas.list }, async () => ({
      data: (await listAccounts(deps.db)).map(accountToWire),
      second_factor_roles: [...deps.policy.secondFactorRoles],
    }));

    app.post(base, { config: grave, schema: schemas.create }, async (request, reply) => {
      const { account, setup } = await createAccount(deps, actorIn(request), request.body);
      if (setup === undefined) throw new Error('An account was made without a link.');
      return reply.code(201).send(setupToWire(account, setup));
    });

    app.patch(`${base}/:account_id`, { config: grave, schema: schemas.change }, async (request) => {
      const { params, body } = request;
      return accountToWire(await updateAccount(deps, actorIn(request), params.account_id, body));
    });

    app.post(
      `${base}/:account_id/setup`,
      { config: grave, schema: schemas.setup },
      async (request, reply) => {
        const { account_id: id } = request.params;
        const { account, setup } = await createSetup(deps, actorIn(request), id);
        return reply.code(201).send(setupToWire(account, setup));
      },
    );

    app.delete(
      `${base}/:account_id/sessions`,
      { config, schema: schemas.sessions },
      async (request, reply) => {
        await endSessions(deps, actorIn(request), request.params.account_id);
        return reply.code(204).send(null);
      },
    );

    app.delete(
      `${base}/:account_id/totp`,
      { config: grave, schema: schemas.totp },
      async (request, reply) => {
        await resetTotp(deps, actorIn(request), request.params.account_id);
        return reply.code(204).send(null);
      },
    );
  };
