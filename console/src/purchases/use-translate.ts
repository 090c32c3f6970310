/** Provides components with the translation of the gateway's sentences. */
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { translate } from './purchase-words.ts';

export const useTranslate = (): ((text: string) => string) => {
  const say = useText();
  const format = useFormat();
  return (text) => translate(text, say, format);
};
