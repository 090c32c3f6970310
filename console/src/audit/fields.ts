/** Names the fields of audit log entries. Pure. */
import { own } from '../i18n/en/index.ts';
import type { Say } from '../i18n/keys.ts';

const isField = (field: string): field is keyof typeof own.audit.fields =>
  Object.hasOwn(own.audit.fields, field);

/** The field in words; its API name if we have none. */
export const fieldWords = (say: Say, field: string): string =>
  isField(field) ? say(`audit.fields.${field}`) : field;
