/** Owns how a component says the gateway's sentences. */
import { useFormat } from '../format.ts';
import { useText } from '../i18n/text.ts';
import { tell } from './purchase-words.ts';

export const useTell = (): ((text: string) => string) => {
  const say = useText();
  const format = useFormat();
  return (text) => tell(text, say, format);
};
