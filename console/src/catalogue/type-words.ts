/** Names types of products. Pure. */
import { own } from '../i18n/en/index.ts';
import type { Say } from '../i18n/keys.ts';

const isType = (value: string): value is keyof typeof own.catalogue.types =>
  Object.hasOwn(own.catalogue.types, value);

/** The type in words; its code if we have none. */
export const typeWords = (say: Say, type: string): string =>
  isType(type) ? say(`catalogue.types.${type}`) : type;
