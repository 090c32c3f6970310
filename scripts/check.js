// Checks types, lint and format, and prints the findings.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';

// Go programs, which end before garbage collection pays off. Side by side on few cores, one thread each is
// enough.
const env = {
  GOGC: 'off',
  ...(availableParallelism() < 4 ? { GOMAXPROCS: '1' } : {}),
  ...process.env,
};

// Several checkers each compute the shared types: one takes half of the processor time.
const commands = [
  'tsc --noEmit --checkers 1',
  'tsc -p console --checkers 1',
  'oxlint --type-aware --deny-warnings',
  'biome ci --colors=off',
];

// Many times what the slowest of them takes.
const timeout = 600_000;

const run = async (command) => {
  const began = performance.now();
  const child = spawn(command, { env, shell: true, stdio: ['ignore', 'pipe', 'pipe'], timeout });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'close');
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const isOk = child.exitCode === 0;
  console.log(`       ${isOk ? '✔' : '✖'} ${command}: ${seconds} s`);
  if (!isOk) console.log((await printed).join(''));
  return isOk;
};

const results = await Promise.all(commands.map(run));
if (results.includes(false)) process.exitCode = 1;
