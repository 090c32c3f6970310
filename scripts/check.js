// Checks types, lint and format, one after the other; ends with the first that fails.
import { spawnSync } from 'node:child_process';

// Two of them are Go programs, over before it pays to look for memory that they could use again.
const env = { GOGC: 'off', ...process.env };

for (const command of [
  'tsc --noEmit',
  'tsc -p console',
  'oxlint --type-aware --deny-warnings',
  'biome ci',
]) {
  const { status } = spawnSync(command, { env, shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
