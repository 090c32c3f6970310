/** Describes error responses in OpenAPI: one for each status, with its codes as an enum. */
import { type TSchema, Type } from 'typebox';

type ErrorRow = {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly example?: object;
};

const describe = (body: TSchema, rows: readonly ErrorRow[]) => {
  const code = Type.Enum(
    rows.map((row) => row.code),
    { description: 'The possible codes.' },
  );
  const examples = rows.flatMap(({ code, example }) =>
    example === undefined ? [] : [[code, { value: example }] as const],
  );
  return {
    description: rows.map((row) => `\`${row.code}\`: ${row.message}`).join('\n\n'),
    content: {
      'application/json': {
        schema: Type.Intersect([body, Type.Object({ code })]),
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
      },
    },
  };
};

/**
 * Creates the function that describes errors with this body. Many routes have the same ones: each response is
 * created once.
 */
export const errorDescriber = (body: TSchema) => {
  const known = new Map<string, ReturnType<typeof describe>>();
  const responseOf = (status: number, rows: readonly ErrorRow[]) => {
    const key = `${status} ${rows.map(({ code }) => code).join(' ')}`;
    const response = known.get(key) ?? describe(body, rows);
    known.set(key, response);
    return response;
  };
  return (rows: readonly ErrorRow[]) =>
    Object.fromEntries(
      [...Map.groupBy(rows, ({ status }) => status)].map(([status, group]) => [
        status,
        responseOf(status, group),
      ]),
    );
};
