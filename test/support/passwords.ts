/** Hashes the passwords of test accounts with little strength: at full strength each costs 25 ms. */
import { createPasswords } from '../../src/admin/access/passwords/password.ts';
import { systemRandom } from '../../src/lib/random.ts';

export const quickPasswords = createPasswords({
  random: systemRandom,
  strength: { memory: 8, passes: 1, parallelism: 1 },
});
