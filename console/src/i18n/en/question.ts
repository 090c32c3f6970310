/** Contains the English texts for questions about purchases that are not made. */
export const question = {
  productNeeded: 'Choose a product.',
  at: 'At',
  atHelp: 'Empty for now.',
  explain: 'Explain',
} as const;
