/** Hashes and verifies passwords of the back office, and rejects weak ones. */
import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { GatewayError } from '../../../lib/errors.ts';
import type { Random } from '../../../lib/random.ts';
import { persianDigits, type Text } from '../../../lib/text.ts';

export type Strength = {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
};

// OWASP's minimum. Each hash carries its own parameters, so these can be raised later.
const today: Strength = { memory: 19_456, passes: 2, parallelism: 1 };

const saltBytes = 16;
const tagLength = 32;

export const shortest = 12;
// Longer ones add no safety and cost time.
export const longest = 256;

export type Passwords = {
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether it is the password of a hash. Without a hash the answer is no, after the same time. `weak`: the
   * hash has weaker parameters than today's.
   */
  readonly verify: (
    password: string,
    stored: string | null,
  ) => Promise<{ readonly right: boolean; readonly weak: boolean }>;
};

type Kept = { readonly strength: Strength; readonly salt: Uint8Array; readonly tag: Uint8Array };

const derive = promisify(argon2);

const print = ({ strength, salt, tag }: Kept): string => {
  const text = (bytes: Uint8Array): string =>
    Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  const { memory, passes, parallelism } = strength;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
};

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const read = (stored: string): Kept => {
  const [, memory, passes, parallelism, salt = '', tag = ''] = form.exec(stored) ?? [];
  if (memory === undefined) throw new Error('A stored password is in a form that is not known.');
  return {
    strength: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

const isWeaker = (one: Strength, than: Strength): boolean =>
  one.memory < than.memory || one.passes < than.passes;

/** Lets this many run and this many more wait, and refuses the rest, which bounds memory. */
const turnstile = (atOnce: number, waitAtMost: number) => {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else if (waiting.length >= waitAtMost) throw new GatewayError('OVERLOADED');
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
};

export type PasswordDeps = {
  readonly random: Random;
  readonly strength?: Strength;
  readonly atOnce?: number;
  readonly waitAtMost?: number;
};

export const createPasswords = (deps: PasswordDeps): Passwords => {
  // Two of Node's four threads, so that hashing never blocks all other work.
  const { random, strength = today, atOnce = 2, waitAtMost = 32 } = deps;
  const enter = turnstile(atOnce, waitAtMost);
  const tagOf = (password: string, { strength, salt, tag }: Kept): Promise<Uint8Array> =>
    enter(() =>
      derive('argon2id', {
        // Normalizes letters, whichever keyboard composed them.
        message: password.normalize('NFKC'),
        nonce: salt,
        tagLength: tag.length,
        ...strength,
      }),
    );
  const blank = (): Kept => ({ strength, salt: random(saltBytes), tag: new Uint8Array(tagLength) });
  return {
    hash: async (password) => {
      const kept = blank();
      return print({ ...kept, tag: await tagOf(password, kept) });
    },
    verify: async (password, stored) => {
      const kept = stored === null ? blank() : read(stored);
      const equal = timingSafeEqual(await tagOf(password, kept), kept.tag);
      return { right: equal && stored !== null, weak: isWeaker(kept.strength, strength) };
    },
  };
};

/** What is wrong with a new password, in a sentence; undefined if it is fine. */
export const faultOf = (password: string, name: string): Text | undefined => {
  const { length: signs } = password;
  if (signs < shortest || signs > longest) {
    return {
      en: `The password must have ${shortest} to ${longest} characters.`,
      fa: `گذرواژه باید ${persianDigits(shortest)} تا ${persianDigits(longest)} نویسه داشته باشد.`,
    };
  }
  if (new Set(password).size < 5) {
    return {
      en: 'The password must have at least 5 different characters.',
      fa: 'گذرواژه باید دست‌کم ۵ نویسهٔ متفاوت داشته باشد.',
    };
  }
  return password.toLowerCase().includes(name.toLowerCase())
    ? {
        en: 'The password must not contain the name.',
        fa: 'نام کاربری نباید در گذرواژه باشد.',
      }
    : undefined;
};
