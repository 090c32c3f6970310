/** Runs a command as `simgate` does, and kills its own process once this many rows are copied. */
import { runCommand } from '../../src/cli/command.ts';

const killAt = Number(process.env['DRILL_KILL_AT'] ?? Number.POSITIVE_INFINITY);
// A little later it is in the middle of a transaction; at once, after one.
const killAfterMs = Number(process.env['DRILL_KILL_AFTER_MS'] ?? 0);

const die = (): boolean => process.kill(process.pid, 'SIGKILL');

/** Reads the progress bar, which is drawn for a terminal after each batch. */
const watch = (text: string): void => {
  const done = /^\r\[[#-]*\] (\d+) of/.exec(text)?.[1];
  if (done === undefined || Number(done) < killAt) return;
  if (killAfterMs === 0) die();
  else setTimeout(die, killAfterMs);
};

process.stderr.isTTY = true;
process.stderr.write = (chunk: string | Uint8Array): boolean => {
  watch(String(chunk));
  return true;
};

process.exitCode = await runCommand(process.argv.slice(2));
