/** Defines the option that shows or hides test clients in lists. */
import { type Arguments, choiceOption, type Option } from './definition.ts';

const choices = ['show', 'hide', 'only'] as const;

export const testOption: Readonly<Record<'test', Option>> = {
  test: { value: 'HOW', about: 'Test clients: show, hide or only (default: show).' },
};

/** Whether only test clients are wanted, or only others; undefined: all. */
export const wantsTest = (args: Arguments): boolean | undefined => {
  const choice = choiceOption(args, 'test', choices) ?? 'show';
  return choice === 'show' ? undefined : choice === 'only';
};
