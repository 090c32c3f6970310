/** Describes the pagination envelope in OpenAPI. */
import { Type } from 'typebox';

const url = Type.String({ format: 'uri' });
const urlOrNull = Type.Union([url, Type.Null()]);
const described = <T extends object>(schema: T, description: string) => ({
  ...schema,
  description,
});
const position = Type.Union([Type.Integer(), Type.Null()]);

/** The two parts of the envelope that stand beside `data`. */
export const pagingSchemas = {
  links: Type.Object(
    {
      first: described(url, 'The first page.'),
      last: described(url, 'The last page.'),
      prev: described(urlOrNull, 'The page before this one.'),
      next: described(urlOrNull, 'The page after this one.'),
    },
    { description: 'First, last and neighbouring pages; null where there is none.' },
  ),
  meta: Type.Object(
    {
      current_page: Type.Integer({ description: 'The page that was asked for.' }),
      from: described(position, 'Position of the first item; null on an empty page.'),
      last_page: Type.Integer({ description: 'Number of the last page, at least 1.' }),
      links: Type.Array(
        Type.Object({
          url: described(urlOrNull, 'Where the button leads; null where nowhere.'),
          label: Type.String({ description: 'A page number, `...`, or an HTML label.' }),
          active: Type.Boolean({ description: 'Whether it is the page that is shown.' }),
        }),
        { description: 'What a row of page buttons shows.' },
      ),
      path: described(url, 'The address without its query.'),
      per_page: Type.Integer({ description: 'Items a page, at most 100.' }),
      to: described(position, 'Position of the last item; null on an empty page.'),
      total: Type.Integer({ description: 'All items.' }),
    },
    { description: 'Where this page stands in the whole list.' },
  ),
} as const;
