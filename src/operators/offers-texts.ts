/** Names the setting of the built-in connectors that turns personal offers on. */
export const offersTexts = {
  label: { en: 'Personal offers', fa: 'پیشنهادهای اختصاصی' },
  help: {
    en: 'Whether this operator can list personal offers.',
    fa: 'آیا این اپراتور پیشنهادهای اختصاصی دارد.',
  },
} as const;
