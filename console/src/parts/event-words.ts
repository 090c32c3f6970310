/** Names the events of webhook messages. */
import { own } from '../i18n/en/index.ts';
import type { Say } from '../i18n/text.ts';

const isType = (type: string): type is keyof typeof own.clientWebhooks.types =>
  Object.hasOwn(own.clientWebhooks.types, type);

/** An event in words; its API name if we have none. */
export const eventWords = (say: Say, type: string): string =>
  isType(type) ? say(`clientWebhooks.types.${type}`) : type;
