/** Defines the setting types, and formats and searches settings. */
import type { Operations } from '../api/types.ts';

export type AllSettings = Operations['getSettings']['answer'];
export type ConsoleSettings = AllSettings['console'];
export type Setting = AllSettings['config'][number];

/** A value as it would be written in the file. */
export const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '';

/** Whether a setting matches a search, by its name, its value or its description. */
export const matches = (wanted: string, { name, value, description }: Setting): boolean => {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [name, isNothing(value) ? '' : written(value), description].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};
