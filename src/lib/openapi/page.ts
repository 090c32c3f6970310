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
      prev: described(urlOrNull, 'The previous page; null on the first page.'),
      next: described(urlOrNull, 'The next page; null on the last page.'),
    },
    { title: 'PageLinks', description: 'Links to the first, last, previous and next page.' },
  ),
  meta: Type.Object(
    {
      current_page: Type.Integer({ description: 'The number of this page.' }),
      from: described(
        position,
        'Position of the first item of the page; null if the page is empty.',
      ),
      last_page: Type.Integer({ description: 'Number of the last page. At least 1.' }),
      links: Type.Array(
        Type.Object({
          url: described(urlOrNull, 'The URL of the page; null if the button is disabled.'),
          label: Type.String({ description: 'A page number, `...`, or a label in HTML.' }),
          active: Type.Boolean({ description: 'Whether this is the current page.' }),
        }),
        { description: 'Buttons for a pagination bar.' },
      ),
      path: described(url, 'The URL without its query.'),
      per_page: Type.Integer({ description: 'Items per page. At most 100.' }),
      to: described(position, 'Position of the last item of the page; null if the page is empty.'),
      total: Type.Integer({ description: 'Number of items on all pages.' }),
    },
    { title: 'PageMeta', description: 'Position of this page in the list.' },
  ),
} as const;
