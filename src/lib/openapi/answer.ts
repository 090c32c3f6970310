/** Describes a response by its schema, a sentence and examples. */
import type { Static, TSchema } from 'typebox';

/** Keeps the schema's own description beside that of the response. */
export const answer = <T extends TSchema>(
  schema: T,
  description: string,
  ...examples: readonly Static<T>[]
) => ({ ...schema, 'x-response-description': description, examples });
