/** Describes the currency on the wire. */
import { type Static, Type } from 'typebox';
import { type Currency, codePattern, longestName, longestSymbol, positions } from './currency.ts';

const closed = { additionalProperties: false };

const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: longestName, description });

const WrittenSchema = (description: string) =>
  Type.Object(
    {
      symbol: Type.String({
        minLength: 1,
        maxLength: longestSymbol,
        description: 'What is written beside an amount: a symbol, the code or the name.',
      }),
      position: Type.Enum([...positions], { description: 'Before or after the amount.' }),
    },
    { ...closed, description },
  );

export const CurrencySchema = Type.Object(
  {
    code: Type.String({
      pattern: codePattern,
      description: 'The code: as in ISO 4217, or a company’s own such as `IRT` for toman.',
    }),
    names: Type.Object(
      { en: name('In English.'), fa: name('In Persian.') },
      { ...closed, description: 'The name in each language.' },
    ),
    written: Type.Object(
      { en: WrittenSchema('In English.'), fa: WrittenSchema('In Persian.') },
      { ...closed, description: 'How each language writes it.' },
    ),
  },
  { ...closed, title: 'Currency', description: 'A currency. Amounts are whole units of it.' },
);

type WireCurrency = Static<typeof CurrencySchema>;

export const exampleCurrency: WireCurrency = {
  code: 'IRR',
  names: { en: 'rial', fa: 'ریال' },
  written: {
    en: { symbol: 'IRR', position: 'after' },
    fa: { symbol: 'ریال', position: 'after' },
  },
};

export const CurrencyOrNull = Type.Union([CurrencySchema, Type.Null()], {
  description: 'The currency of all amounts; null if none is set.',
});

/** A copy, because the wire’s types are mutable. */
export const currencyToWire = (currency: Currency | null): WireCurrency | null =>
  currency === null ? null : structuredClone(currency);
