/** Contains the Persian texts for questions about purchases that are not made. */
import type { question as english } from '../en/question.ts';
import type { Same } from '../same.ts';

export const question: Same<typeof english> = {
  productNeeded: 'محصولی انتخاب کنید.',
  at: 'در زمان',
  atHelp: 'خالی برای اکنون.',
  explain: 'توضیح',
};
