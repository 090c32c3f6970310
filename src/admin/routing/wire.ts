/** Describes routes as the back office's API shows and takes them. */
import { type Static, Type } from 'typebox';
import type { FileProblem } from '../../catalogue/file/lines.ts';
import { productTypes } from '../../catalogue/product.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Locale } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import type { RouteDiff } from '../../routing/change.ts';
import { printTerms, readTerms } from '../../routing/csv.ts';
import type { ExplainedRoute } from '../../routing/explain.ts';
import {
  mostPriority,
  mostWeight,
  passedOverCodes,
  type Route,
  type RouteTerms,
  weekdays,
} from '../../routing/route.ts';
import type { RouteVersion } from '../../routing/store.ts';
import { closed, exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const termFields = {
  operator_id: Type.Integer({ minimum: 1, description: 'The operator whose products it is for.' }),
  product_id: orNull(id, 'Only for this product; null for any.'),
  category_id: orNull(id, 'Only for products of this category; null for any.'),
  product_type: orNull(Type.Enum([...productTypes]), 'Only for this type; null for any.'),
  client_id: textOrNull('Only for this client; null for any.'),
  supplier_id: Type.Integer({ minimum: 1, description: 'The supplier to order from.' }),
  product_code: textOrNull("The supplier's own code of the product; null for none."),
  cost: textOrNull('An amount such as `90000`, or `2.5%` off the price; null if not known.'),
  allow_dearer: Type.Boolean({ description: 'Whether it may cost more than the client pays.' }),
  priority: Type.Integer({ minimum: 1, maximum: mostPriority, description: '1 is the best.' }),
  weight: Type.Integer({
    minimum: 1,
    maximum: mostWeight,
    description: 'Its share among routes of the same priority.',
  }),
  hours: textOrNull('Hours of the business day, such as `22:00-06:00`; null for always.'),
  days: Type.Array(Type.Enum([...weekdays]), { description: 'Empty for every day.' }),
  valid_from: textOrNull('Only from this time on; null for always.'),
  valid_until: textOrNull('Only until before this time; null for always.'),
  enabled: Type.Boolean({ description: 'Whether it is on.' }),
};

/** The terms that a change names. */
export const TermsChange = Type.Partial(Type.Object(termFields), {
  ...closed,
  examples: [{ priority: 5, enabled: false }],
});

export const RouteSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the route; 0 is the implicit route.' }),
    ...termFields,
  },
  { title: 'Route', description: 'From which supplier products are ordered.' },
);
export type WireRoute = Static<typeof RouteSchema>;

export const exampleTerms = {
  operator_id: 1,
  product_id: null,
  category_id: null,
  product_type: null,
  client_id: null,
  supplier_id: 2,
  product_code: null,
  cost: '2.5%',
  allow_dearer: false,
  priority: 5,
  weight: 1,
  hours: '22:00-06:00',
  days: [],
  valid_from: null,
  valid_until: null,
  enabled: true,
} satisfies Omit<WireRoute, 'id'>;

export const exampleRoute: WireRoute = { id: 1, ...exampleTerms };

export const routeToWire = (route: Route): WireRoute => {
  const { cost, hours } = printTerms(route);
  return {
    id: route.id,
    operator_id: route.operatorId,
    product_id: route.productId,
    category_id: route.categoryId,
    product_type: route.productType,
    client_id: route.clientId,
    supplier_id: route.supplierId,
    product_code: route.productCode,
    cost: cost === '' ? null : cost,
    allow_dearer: route.allowDearer,
    priority: route.priority,
    weight: route.weight,
    hours: hours === '' ? null : hours,
    days: [...route.days],
    valid_from: timeOrNull(route.validFrom),
    valid_until: timeOrNull(route.validUntil),
    enabled: route.enabled,
  };
};

/** Problems of one route, as those of a form's fields. */
export const refuseFields = (problems: readonly FileProblem[]): GatewayError =>
  new GatewayError('VALIDATION_FAILED', {
    errors: Object.fromEntries(problems.map(({ field = 'id', message }) => [field, [message]])),
  });

/** Reads terms by the rules of a file; what is missing is as before. */
export const termsFromWire = (
  wire: Static<typeof TermsChange>,
  before: RouteTerms | undefined,
): RouteTerms => {
  const values = new Map<string, unknown>(
    before === undefined ? [] : Object.entries(printTerms(before)),
  );
  for (const [name, value] of Object.entries(wire)) {
    values.set(name, Array.isArray(value) ? value.join(' ') : value);
  }
  const problems: FileProblem[] = [];
  const terms = readTerms({ line: 1, path: '', values, problems });
  if (terms === undefined) throw refuseFields(problems);
  return terms;
};

export const VersionSchema = Type.Object(
  {
    ...RouteSchema.properties,
    version: Type.Integer({ description: 'Counts the changes of the route, from 1.' }),
    created_at: Type.String({ description: 'When this version came into force.' }),
    closed_at: textOrNull('When it was changed or removed; null while it is in force.'),
  },
  { title: 'RouteVersion', description: 'A route as it was for some time.' },
);

export const exampleVersion: Static<typeof VersionSchema> = {
  ...exampleRoute,
  version: 1,
  created_at: exampleTime,
  closed_at: null,
};

export const versionToWire = (route: RouteVersion): Static<typeof VersionSchema> => ({
  ...routeToWire(route),
  version: route.version,
  created_at: formatTime(route.createdAt),
  closed_at: timeOrNull(route.closedAt),
});

export const ExplainedSchema = Type.Object(
  {
    route: RouteSchema,
    place: orNull(Type.Integer(), '1 for the one that is taken; null if it is passed over.'),
    code: orNull(Type.Enum([...passedOverCodes]), 'Why it is passed over; null if it is not.'),
    share: orNull(
      Type.Number(),
      'The part of such purchases that takes it, from 0 to 1; null unless it has the best priority.',
    ),
    cost: orNull(Type.Integer(), 'What it costs at this price; null if not known.'),
  },
  { title: 'ExplainedRoute', description: 'A route that fits, and what becomes of it.' },
);

export const explainedToWire = ({
  route,
  ...rest
}: ExplainedRoute): Static<typeof ExplainedSchema> => ({ route: routeToWire(route), ...rest });

/** As many as a person reads. */
const mostShown = 500;

const count = (description: string) => Type.Integer({ description });

export const counts = {
  added: count('How many routes are added.'),
  changed: count('How many routes are changed.'),
  removed: count('How many routes are removed.'),
  unchanged: count('How many routes stay as they are.'),
};

export const PreviewSchema = Type.Object(
  {
    ...counts,
    problems: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'The line of the file.' }),
        message: Type.String({ description: 'What is wrong.' }),
      }),
      { description: 'The first 500 problems. With any, nothing can be imported.' },
    ),
    diff: Type.Array(
      Type.Object({
        kind: Type.Enum(['added', 'changed', 'removed'], { description: 'What happens.' }),
        before: orNull(RouteSchema, 'The route as it is; null for a new one.'),
        after: orNull(RouteSchema, 'The route as it will be; null for a removed one.'),
      }),
      { description: 'The first 500 differences. The ID of a new route is 0.' },
    ),
    version: Type.String({ description: 'The version of all routes. Send it with the import.' }),
  },
  { title: 'RouteImportPreview', description: 'What an import of routes would do.' },
);

export const previewToWire = (
  { added, changed, removed, unchanged }: RouteDiff,
  problems: readonly FileProblem[],
  { version, locale }: { readonly version: string; readonly locale: Locale },
): Static<typeof PreviewSchema> => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  unchanged,
  problems: problems
    .slice(0, mostShown)
    .map(({ line, message }) => ({ line, message: message[locale] })),
  diff: [
    ...added.map(({ terms }) => ({
      kind: 'added' as const,
      before: null,
      after: routeToWire({ ...terms, id: 0 }),
    })),
    ...changed.map(({ before, after }) => ({
      kind: 'changed' as const,
      before: routeToWire(before),
      after: routeToWire({ ...after.terms, id: before.id }),
    })),
    ...removed.map((route) => ({
      kind: 'removed' as const,
      before: routeToWire(route),
      after: null,
    })),
  ].slice(0, mostShown),
  version,
});
