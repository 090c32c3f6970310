/** Pages through the lists of the back office by cursor. */
import { Type } from 'typebox';
import { textOrNull } from '../wire.ts';

const usual = 50;
const most = 100;

export const pageQuery = {
  before: Type.Optional(
    Type.String({ maxLength: 64, description: 'Cursor: `next` of the previous page.' }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: `^([1-9][0-9]?|${most})$`,
      description: `Items per page, 1 to ${most}. Default: ${usual}.`,
      examples: [String(usual)],
    }),
  ),
};

export const nextSchema = textOrNull(
  'Send it as `before` for the next page; null on the last page.',
);

export const limitOf = ({ limit }: { readonly limit?: string }): number =>
  limit === undefined ? usual : Number(limit);

/** A page from one row more than it shows, and the cursor of the next page. */
export const pageOf = <T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
): { readonly page: readonly T[]; readonly next: string | null } => {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
};
