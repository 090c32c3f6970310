/** Writes the recorded commissions of a price list in the page's language. Pure. */
import { typeWords } from '../catalogue/type-words.ts';
import type { Say } from '../i18n/keys.ts';
import type { Format } from '../writing.ts';
import { fieldWords } from './fields.ts';

const partWords = (say: Say, part: string, format: Format): string => {
  const [, name, value] = /^(\w+) (.+)$/.exec(part) ?? [];
  if (name === undefined || value === undefined) return part;
  const words = name === 'product_type' ? typeWords(say, value) : format.digits(value);
  return `${fieldWords(say, name)} ${words}`;
};

const scopeWords = (say: Say, scope: string, format: Format): string =>
  scope === '*'
    ? say('priceLists.everything')
    : scope
        .split(', ')
        .map((part) => partWords(say, part, format))
        .join(say('audit.comma'));

/** From `operator_id 2, product_type cell_internet: 4%; *: 1%`. */
export const commissionWords = (say: Say, recorded: string, format: Format): string =>
  recorded
    .split('; ')
    .map((entry) => {
      const end = entry.lastIndexOf(': ');
      const commission = format.digits(entry.slice(end + 2));
      return say('audit.is', {
        field: scopeWords(say, entry.slice(0, end), format),
        after: commission,
      });
    })
    .join(say('audit.comma'));
