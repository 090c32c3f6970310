/** Serves passkeys over HTTP: the second step of signing in, one's own list, and resets by owners. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { baseUrl } from '../../../lib/http/base-url.ts';
import { answer } from '../../../lib/openapi/answer.ts';
import {
  bodyOf,
  EnteredSchema,
  exampleAccount,
  GivenPassword,
  guarded,
  nothing,
  refusals,
} from '../../wire.ts';
import { actorIn, type GuardDeps, visitIn } from '../guard.ts';
import { admit, goOn } from '../sign-in-routes.ts';
import {
  addPasskey,
  beginPasskey,
  beginProof,
  factorsOf,
  mostPasskeys,
  type Party,
  removePasskey,
  resetPasskeys,
  signInByPasskey,
} from './passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import { listPasskeys } from './store.ts';
import {
  AssertionSchema,
  CreationOptionsSchema,
  exampleAssertion,
  exampleCreation,
  exampleFactors,
  examplePasskeys,
  exampleRegistration,
  exampleRequest,
  FactorsSchema,
  PasskeysSchema,
  passkeysToWire,
  RegistrationSchema,
  RequestOptionsSchema,
} from './wire.ts';

const entrance = { tags: ['Sign-in'] };
const own = { tags: ['Own account'] };
const half = ['SESSION_MISSING', 'FORGED_ORIGIN'] as const;
const whole = ['SESSION_MISSING', 'CODE_NEEDED', 'FORGED_ORIGIN'] as const;
const examplePassword = 'correct horse battery';

const signingIn = {
  factors: {
    ...entrance,
    operationId: 'getFactors',
    summary: 'List second factors',
    description: 'Returns the second factors with which you can complete the sign-in.',
    response: {
      200: answer(FactorsSchema, 'The factors.', exampleFactors),
      ...refusals(...half),
    },
  },
  begin: {
    ...entrance,
    operationId: 'beginPasskeySignIn',
    summary: 'Begin a passkey sign-in',
    description:
      'Returns the options for `navigator.credentials.get()`. They work once, within five minutes.',
    response: {
      200: answer(RequestOptionsSchema, 'The options.', exampleRequest),
      ...refusals(...half, 'PASSKEY_NOT_FOUND', 'PASSKEYS_UNAVAILABLE'),
    },
  },
  send: {
    ...entrance,
    operationId: 'sendPasskey',
    summary: 'Sign in with a passkey',
    description: 'Completes the sign-in and sets a new cookie.',
    body: bodyOf({ credential: AssertionSchema }, { credential: exampleAssertion }),
    response: {
      200: answer(EnteredSchema, 'Signed in.', { code_needed: false }),
      ...refusals('PASSKEY_WRONG', ...half, 'PASSKEYS_UNAVAILABLE', 'TOO_MANY_TRIES'),
    },
  },
};

const ofOneself = {
  list: {
    ...own,
    operationId: 'listMyPasskeys',
    summary: 'List your passkeys',
    description: 'Returns all your passkeys, including those of other hosts.',
    response: {
      200: answer(PasskeysSchema, 'The passkeys.', examplePasskeys),
      ...refusals(...whole),
    },
  },
  begin: {
    ...own,
    operationId: 'beginMyPasskey',
    summary: 'Begin adding a passkey',
    description: `Returns the options for \`navigator.credentials.create()\`. They work once, within five minutes. An account can have ${mostPasskeys} passkeys.`,
    body: bodyOf({ password: GivenPassword }, { password: examplePassword }),
    response: {
      200: answer(CreationOptionsSchema, 'The options.', exampleCreation),
      ...refusals(
        ...whole,
        'PASSWORD_WRONG',
        'PASSKEYS_FULL',
        'PASSKEYS_UNAVAILABLE',
        'TOO_MANY_TRIES',
      ),
    },
  },
  add: {
    ...own,
    operationId: 'addMyPasskey',
    summary: 'Add a passkey',
    description: 'Adds the passkey as a second factor and ends all your other sessions.',
    body: bodyOf(
      {
        name: Type.String({
          maxLength: 64,
          pattern: '\\S',
          description: 'A name for your list.',
        }),
        credential: RegistrationSchema,
      },
      { name: 'Office key', credential: exampleRegistration },
    ),
    response: {
      204: nothing('The passkey was added.'),
      ...refusals(
        'PASSKEY_WRONG',
        ...whole,
        'PASSKEY_KNOWN',
        'PASSKEYS_FULL',
        'PASSKEYS_UNAVAILABLE',
      ),
    },
  },
  remove: {
    ...own,
    operationId: 'removeMyPasskey',
    summary: 'Remove a passkey',
    description: 'Removes the passkey and ends all your other sessions.',
    params: Type.Object({
      passkey_id: Type.String({
        description: 'The ID of the passkey.',
        examples: [examplePasskeys.data[0]?.id],
      }),
    }),
    body: bodyOf({ password: GivenPassword }, { password: examplePassword }),
    response: {
      204: nothing('The passkey was removed.'),
      ...refusals(...whole, 'PASSWORD_WRONG', 'PASSKEY_NOT_FOUND', 'TOO_MANY_TRIES'),
    },
  },
};

const reset = {
  tags: ['Accounts'],
  operationId: 'resetPasskeys',
  summary: 'Remove all passkeys of an account',
  description:
    'Removes all passkeys of an account and ends all its sessions. Use it if they were lost.',
  params: Type.Object({
    account_id: Type.String({
      description: 'The ID of the account.',
      examples: [exampleAccount.id],
    }),
  }),
  response: {
    204: nothing('The passkeys were removed.'),
    ...refusals(...guarded, 'ACCOUNT_NOT_FOUND'),
  },
};

const base = '/admin/api';

/** The base URL of the request: the public URL, else the request's own host. */
export const partyOf = ({ publicUrl }: GuardDeps, request: FastifyRequest): Party =>
  relyingPartyOf(baseUrl(publicUrl, request));

const signInRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { adminNeeds: 'waiting' } as const;
    const half = { adminNeeds: 'half' } as const;
    const path = `${base}/login/passkey`;

    app.get(`${base}/login/factors`, { config: half, schema: signingIn.factors }, async (request) =>
      factorsOf(deps, visitIn(request), partyOf(deps, request)),
    );

    app.post(`${path}/options`, { config, schema: signingIn.begin }, async (request) =>
      beginProof(deps, visitIn(request), partyOf(deps, request)),
    );

    app.post(path, { config, schema: signingIn.send }, async (request, reply) => {
      const given = { party: partyOf(deps, request), credential: request.body.credential };
      const entered = await signInByPasskey(deps, visitIn(request), given);
      return admit(deps, request, reply, entered);
    });
  };

const ownPasskeyRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const config = { adminNeeds: 'enroll' } as const;
    const path = `${base}/me/passkeys`;

    app.get(path, { config, schema: ofOneself.list }, async (request) => {
      const { account } = visitIn(request);
      return passkeysToWire(await listPasskeys(deps.db, account.id), partyOf(deps, request));
    });

    app.post(`${path}/options`, { config, schema: ofOneself.begin }, async (request) => {
      const given = { party: partyOf(deps, request), password: request.body.password };
      return beginPasskey(deps, visitIn(request), given);
    });

    app.post(path, { config, schema: ofOneself.add }, async (request, reply) => {
      const given = { ...request.body, party: partyOf(deps, request) };
      return goOn(deps, request, reply, await addPasskey(deps, visitIn(request), given));
    });

    const whole = { adminNeeds: 'session' } as const;
    const remove = { config: whole, schema: ofOneself.remove };
    app.delete(`${path}/:passkey_id`, remove, async (request, reply) => {
      const given = { id: request.params.passkey_id, password: request.body.password };
      return goOn(deps, request, reply, await removePasskey(deps, visitIn(request), given));
    });
  };

export const passkeyRoutes =
  (deps: GuardDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await signInRoutes(deps)(app, {});
    await ownPasskeyRoutes(deps)(app, {});
    const config = { adminNeeds: 'accounts', adminFresh: true } as const;
    const path = `${base}/accounts/:account_id/passkeys`;
    app.delete(path, { config, schema: reset }, async (request, reply) => {
      await resetPasskeys(deps, actorIn(request), request.params.account_id);
      return reply.code(204).send(null);
    });
  };
