/** Measures a server's processes from outside: CPU time and peak memory. */
import { existsSync, readFileSync } from 'node:fs';

const read = (pid: number, name: string): string => {
  const file = `/proc/${pid}/${name}`;
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** A process and its children. */
const treeOf = (pid: number): number[] => {
  const started = read(pid, `task/${pid}/children`).trim();
  return [pid, ...(started === '' ? [] : started.split(' ').map(Number).flatMap(treeOf))];
};

/** A child that ends meanwhile counts nothing. */
const sumOf = (pid: number, figure: (pid: number) => number): number =>
  treeOf(pid)
    .map((one) => ({ one, value: figure(one) }))
    .filter(({ one, value }) => one === pid || !Number.isNaN(value))
    .reduce((sum, { value }) => sum + value, 0);

// To other processes Linux reports hundredths of a second.
const tickSeconds = 0.01;

const cpuOf = (pid: number): number => {
  // The name, which may contain anything, is in brackets before the third field.
  const text = read(pid, 'stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickSeconds;
};

/** Seconds of processor time so far; NaN without /proc. */
export const cpuSeconds = (pid: number): number => sumOf(pid, cpuOf);

const memoryOf = (pid: number, name: 'VmHWM' | 'VmRSS'): number => {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(read(pid, 'status'))?.[1];
  return (Number(kilobytes) * 1024) / 1_000_000;
};

/** The peak memory so far, in megabytes of 1,000,000 bytes. */
export const peakMegabytes = (pid: number): number => sumOf(pid, (one) => memoryOf(one, 'VmHWM'));

/** The memory now, in the same unit. */
export const residentMegabytes = (pid: number): number =>
  sumOf(pid, (one) => memoryOf(one, 'VmRSS'));
