/** Defines the schema of a rate limit setting. */
import { Type } from 'typebox';

type Rate = { readonly perSecond: number; readonly burst: number };

/** Null: there is no limit. */
export const rateSchema = (
  options: { readonly default?: Rate; readonly description?: string } = {},
) =>
  Type.Union(
    [
      Type.Null(),
      Type.Object(
        {
          perSecond: Type.Number({ exclusiveMinimum: 0 }),
          burst: Type.Integer({ minimum: 1 }),
        },
        { additionalProperties: false },
      ),
    ],
    options,
  );
