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
    { description: 'The codes of this response.' },
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

export const describeErrors = (body: TSchema, rows: readonly ErrorRow[]) =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, group]) => [
      status,
      describe(body, group),
    ]),
  );
