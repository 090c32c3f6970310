/** Owns what people do with clients and their tokens in the back office: each in one transaction, what is made once for each key. */
import { type Static, Type } from 'typebox';
import type { ClientRules } from '../../clients/rules/rules.ts';
import type { ClientStatus, TokenRow } from '../../clients/store.ts';
import type { IssuedToken, NewToken, RotatedToken, Rotation } from '../../clients/tokens.ts';
import type { Actor, Person } from '../audit.ts';
import { AdminError } from '../errors.ts';
import { once } from '../once/once.ts';
import { type ActDeps, type Acting, act, fieldFault } from './acting.ts';
import {
  alterClient,
  alterRules,
  giveToken,
  makeClient,
  replaceToken,
  stopToken,
} from './noted.ts';

const MadeSchema = Type.Object({ id: Type.String(), name: Type.String() });

type Made = { readonly id: string; readonly token: string };

/** Makes a client with a first token. Sent again, it names the client: a token is told once. */
export const createOnce = async (
  deps: ActDeps,
  actor: Person,
  { key, name }: { readonly key: string; readonly name: string },
): Promise<Made> => {
  const wish = { name: name.trim() };
  const asked = { key, accountId: actor.accountId, action: 'client create', wish } as const;
  let token = '';
  const { answer, again } = await act(deps, actor, (acting) =>
    once(acting.db, acting.clock, asked, {
      answers: MadeSchema,
      work: async (): Promise<Static<typeof MadeSchema>> => {
        const made = await makeClient(acting, wish);
        token = made.token.token;
        return { id: made.id, name: wish.name };
      },
    }),
  );
  if (!again) return { id: answer.id, token };
  throw new AdminError('ALREADY_DONE', {
    message: `This was done before: client ${answer.id} is "${answer.name}". Nothing was done now. Its token was shown once; if you do not have it, rotate it.`,
  });
};

export const changeClient = (
  deps: ActDeps,
  actor: Actor,
  id: string,
  change: { readonly name?: string; readonly status?: ClientStatus },
): Promise<void> => act(deps, actor, (acting) => alterClient(acting, id, change));

export const setRules = async (
  deps: ActDeps,
  actor: Actor,
  id: string,
  { rules, version }: { readonly rules: ClientRules; readonly version: string },
): Promise<void> => {
  await act(deps, actor, (acting) => alterRules(acting, id, rules, version));
};

const assertAhead = ({ clock }: Acting, expiresAt: number | null | undefined): void => {
  if (typeof expiresAt !== 'number' || expiresAt > clock.now()) return;
  throw fieldFault('expires_at', 'expires_at must be in the future.');
};

const TokenMadeSchema = Type.Object({ id: Type.String() });

/** A token is told once, and nowhere kept: sent again, it can only be named. */
const madeBefore = (id: string): AdminError =>
  new AdminError('ALREADY_DONE', {
    message: `This was done before: token ${id} was made. Nothing was done now. It was shown once; if you do not have it, rotate it or revoke it.`,
  });

type Keyed = { readonly key: string };

export const issueTokenTo = async (
  deps: ActDeps,
  actor: Person,
  clientId: string,
  { key, ...wanted }: NewToken & Keyed,
): Promise<IssuedToken> => {
  const { name, scopes, networks, expiresAt } = wanted;
  const wish = { clientId, name, scopes, networks, expiresAt };
  const asked = { key, accountId: actor.accountId, action: 'client token create', wish } as const;
  let issued: IssuedToken | undefined;
  const { answer } = await act(deps, actor, (acting) =>
    once(acting.db, acting.clock, asked, {
      answers: TokenMadeSchema,
      work: async () => {
        assertAhead(acting, expiresAt);
        issued = await giveToken(acting, clientId, wanted);
        return { id: issued.id };
      },
    }),
  );
  if (issued?.id !== answer.id) throw madeBefore(answer.id);
  return issued;
};

type Which = { readonly id: string; readonly clientId: string };

export const rotateToken = async (
  deps: ActDeps,
  actor: Person,
  which: Which,
  { key, ...rotation }: Rotation & Keyed,
): Promise<RotatedToken> => {
  const { overlapMs, expiresAt } = rotation;
  const { id, clientId } = which;
  const wish = { clientId, id, overlapMs, expiresAt };
  const asked = { key, accountId: actor.accountId, action: 'client token rotate', wish } as const;
  let rotated: RotatedToken | undefined;
  const { answer } = await act(deps, actor, (acting) =>
    once(acting.db, acting.clock, asked, {
      answers: TokenMadeSchema,
      work: async () => {
        assertAhead(acting, expiresAt);
        rotated = await replaceToken(acting, which, rotation);
        return { id: rotated.issued.id };
      },
    }),
  );
  if (rotated?.issued.id !== answer.id) throw madeBefore(answer.id);
  return rotated;
};

export const endToken = (deps: ActDeps, actor: Actor, which: Which): Promise<TokenRow> =>
  act(deps, actor, (acting) => stopToken(acting, which));
