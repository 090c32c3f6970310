/** Reads who runs a command and why, for the audit log. */
import { userInfo } from 'node:os';
import type { Actor } from '../admin/audit/audit.ts';
import { type Arguments, InvalidUsage, type Option, textOption } from './definition.ts';

const systemUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list has no name.
    return 'an unnamed user';
  }
};

const longest = { by: 100, reason: 1000 } as const;

/** A text of one line, or undefined if it is not given. */
const lineOf = (args: Arguments, name: keyof typeof longest): string | undefined => {
  const text = textOption(args, name)?.trim();
  if (text === undefined) return undefined;
  if (text === '' || text.length > longest[name] || /\p{Cc}/u.test(text)) {
    throw new InvalidUsage(`--${name} must be one line of 1 to ${longest[name]} characters.`);
  }
  return text;
};

/** The options of every audited command. */
export const auditOptions = {
  reason: { value: 'TEXT', about: 'The reason, kept in the audit log.' },
  by: {
    value: 'NAME',
    about: 'Who decided; recorded beside the system user who runs the command.',
  },
} as const satisfies Record<string, Option>;

export const actorOf = (args: Arguments): string => {
  const by = lineOf(args, 'by');
  return by === undefined ? systemUser() : `${by} (as ${systemUser()})`;
};

/** The same for the back office's audit log. */
export const commandActor = (args: Arguments): Actor => ({
  accountId: null,
  name: `${actorOf(args)}, by command`,
  address: null,
});

export const reasonOf = (args: Arguments): string => {
  const reason = lineOf(args, 'reason');
  if (reason === undefined) throw new InvalidUsage('Missing: --reason TEXT.');
  return reason;
};
