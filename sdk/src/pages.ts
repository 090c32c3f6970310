/** Iterates over lists and fetches each page on demand. */
import type { Ask } from './ask.ts';
import type { Outgoing } from './send.ts';
import type { Product, Removal } from './types.ts';

type Page<Item> = {
  readonly data: readonly Item[];
  readonly meta: { readonly last_page: number };
};

/** A page, with whatever is to be asked besides. */
const pageOf = <Item>(ask: Ask, request: Outgoing, more: Outgoing['query']): Promise<Page<Item>> =>
  ask<Page<Item>>({ ...request, query: { ...request.query, ...more } });

/** By page number: for lists that do not grow at their beginning. */
export async function* byPage<Item>(ask: Ask, request: Outgoing): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const { data, meta } = await pageOf<Item>(ask, request, { page });
    yield* data;
    if (page >= meta.last_page) return;
  }
}

/** By the last item seen: for lists that grow at their beginning during iteration. */
export async function* byLast<Item extends { readonly id: string }>(
  ask: Ask,
  request: Outgoing,
): AsyncGenerator<Item> {
  let before: string | undefined;
  for (;;) {
    const { data } = await pageOf<Item>(ask, request, { before });
    if (data.length === 0) return;
    yield* data;
    before = data.at(-1)?.id;
  }
}

/** A step from one state of the catalogue to a later one. */
export type Step = {
  readonly products: readonly Product[];
  /** What to delete from your copy. */
  readonly removed: readonly Removal[];
  /** The cursor for the next step. */
  readonly next: string;
};

type ChangesPage = {
  readonly data: readonly Product[];
  readonly links: { readonly next: string | null };
  readonly removed?: readonly Removal[];
  readonly next_updated_since?: string;
};

/** By the time up to which everything is seen: for lists that change during iteration. */
export async function* byMoment(ask: Ask, request: Outgoing, since: string): AsyncGenerator<Step> {
  for (let from = since; ; ) {
    const query = { ...request.query, updated_since: from };
    const page = await ask<ChangesPage>({ ...request, query });
    const { data: products, links, removed = [], next_updated_since: next } = page;
    if (next === undefined) throw new Error('This gateway does not tell of changes.');
    yield { products, removed, next };
    if (links.next === null) return;
    from = next;
  }
}
