/** Pages through the lists of the back office by cursor. */
import { Type } from 'typebox';
import { textOrNull } from '../wire.ts';

const usual = 50;
const most = 100;

export const pageQuery = {
  before: Type.Optional(
    Type.String({ maxLength: 64, description: 'What stood in `next` of the page before.' }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: `^([1-9][0-9]?|${most})$`,
      description: `How many, 1 to ${most}; ${usual} where it is left out.`,
      examples: [String(usual)],
    }),
  ),
};

export const nextSchema = textOrNull(
  'To be sent as `before` for the next page; null: it is the last.',
);

export const limitOf = ({ limit }: { readonly limit?: string }): number =>
  limit === undefined ? usual : Number(limit);

/** A page of rows of which one more than wanted was read, and where the next begins. */
export const pageOf = <T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
): { readonly page: readonly T[]; readonly next: string | null } => {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
};
