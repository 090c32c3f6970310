/** Defines how the site's search reads words, in the index and in queries alike. */

/** Words of questions that say nothing about their subject. */
const stopWords = new Set(
  (
    'a an and are as at be by can do does for from how i if in is it its me my of on or our should ' +
    'that the their then there this to was we what when which who why will with you your mean means ' +
    'از است این آن با برای به تا چه چرا چطور چگونه چیست در را که کدام می و یا یک'
  ).split(' '),
);

const arabicDigits = '٠١٢٣٤٥٦٧٨٩';
const persianDigits = '۰۱۲۳۴۵۶۷۸۹';

/** One spelling for letters and digits that readers take for the same. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[يىئ]/g, 'ی')
    .replaceAll('ك', 'ک')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ؤ', 'و')
    // Vowel signs, the stretching mark, and the half-spaces within a word.
    .replaceAll(/[\u064B-\u0652\u0670\u0640\u200B-\u200F\u00AD]/g, '')
    .replaceAll(/[٠-٩]/g, (digit) => String(arabicDigits.indexOf(digit)))
    .replaceAll(/[۰-۹]/g, (digit) => String(persianDigits.indexOf(digit)));

/** The form under which a word is found: its plural, its "-ing" and its "-ed" are the same word. */
const stem = (word: string): string => {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const plain = word.replace(/(?<=[^s])s$|(?<=(?:ss|x|ch|sh))es$/, '');
  return plain.replace(/(?<=[a-z]{3}[^aeiou])(?:ing|ed)$/, '');
};

/** Words of a text. Codes such as INSUFFICIENT_BALANCE are found whole and by their parts. */
export const tokenize = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}\p{M}_\u200B-\u200F\u00AD]+/u)
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
    .filter((word) => word !== '');

/** The form of a word in the index; null for one that is not searched. */
export const processTerm = (term: string): string | null => {
  const word = fold(term);
  return word === '' || stopWords.has(word) ? null : stem(word);
};

/** History and decisions answer few questions; guides and references most. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/\/docs\/(fa\/)?errors#/, 0.7],
  [/\/docs\/(adr\/|changelog|performance|security)/, 0.2],
  [/\/docs\/(extend|operate)\//, 0.5],
  [/\/docs\/api\//, 0.8],
];

/** How much a section counts, by its address. */
export const boostDocument = (id: string): number =>
  weights.find(([pattern]) => pattern.test(id))?.[1] ?? 1;

/** What the index is made with. */
export const indexOptions = { tokenize, processTerm };

/** What is besides needed to search in it. */
export const searchOptions = {
  boostDocument,
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 6, titles: 3, text: 1 },
};
