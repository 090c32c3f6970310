/** Owns the walk through lists: page after page, asked for when it is wanted. */
import type { Outgoing } from './send.ts';

type Page<Item> = {
  readonly data: readonly Item[];
  readonly meta: { readonly last_page: number };
};

export type Ask = <T>(request: Outgoing) => Promise<T>;

/** A page, with whatever is to be asked besides. */
const pageOf = <Item>(ask: Ask, request: Outgoing, more: Outgoing['query']): Promise<Page<Item>> =>
  ask<Page<Item>>({ ...request, query: { ...request.query, ...more } });

/** By the number of the page: for what does not grow at its beginning. */
export async function* byPage<Item>(ask: Ask, request: Outgoing): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const { data, meta } = await pageOf<Item>(ask, request, { page });
    yield* data;
    if (page >= meta.last_page) return;
  }
}

/** By the last item seen: for what grows at its beginning while it is read. */
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
