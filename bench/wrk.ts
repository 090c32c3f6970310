/** Runs `wrk`: as many requests as a server takes, on the same number of connections for each server. */
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { runLoad } from './load-child.ts';
import { cpuSeconds } from './process-figures.ts';
import { type Plan, writePlan } from './requests.ts';
import { newFolder, type Running } from './resources.ts';
import { toolFor } from './tools.ts';

export const connections = 128;

// Before the first request, for the server to accept all connections, even on a busy machine.
const settleMs = 300;

const Others = Type.Record(Type.String(), Type.Integer());

const WrkSchema = Type.Object({
  requests: Type.Integer(),
  seconds: Type.Number(),
  bytes: Type.Integer(),
  p50: Type.Number(),
  p99: Type.Number(),
  p999: Type.Number(),
  others: Others,
});

const OpenLoopSchema = Type.Object({
  requests: Type.Integer(),
  seconds: Type.Number(),
  p50: Type.Number(),
  p99: Type.Number(),
  p999: Type.Number(),
  max: Type.Number(),
  ownP99: Type.Number(),
  others: Others,
});

/** The results of a load at full speed. */
export type Full = {
  readonly perSecond: number;
  readonly requests: number;
  /** Of an answer, its head included. */
  readonly bytes: number;
  /** Of the server's processor time, for one request. */
  readonly cpuMicros: number;
  /** The share of one processor that the load generator used: near 1 it measures itself. */
  readonly busy: number;
  readonly others: Readonly<Record<string, number>>;
};

/** The results of a load at a fixed rate; times in milliseconds. */
export type Steady = Static<typeof OpenLoopSchema> & { readonly rate: number };

const script = fileURLToPath(new URL('./wrk/send.lua', import.meta.url));
const openLoop = fileURLToPath(new URL('./open-loop.ts', import.meta.url));

/** At the server's full throughput. */
export const fullLoad = async (server: Running, plan: Plan, seconds: number): Promise<Full> => {
  const { lua } = writePlan(newFolder(), plan);
  const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency'];
  const before = cpuSeconds(server.pid);
  const told = plan.kinds.every(({ smallAnswer }) => smallAnswer) ? ['statuses'] : [];
  const toScript = [lua, String(connections), String(settleMs), ...told];
  const args = [...size, '-s', script, server.url, '--', ...toScript];
  const { figures, busy } = await runLoad(toolFor('wrk'), args);
  const cpu = cpuSeconds(server.pid) - before;
  const { requests, bytes, others, seconds: took } = Value.Parse(WrkSchema, figures);
  return {
    perSecond: requests / (took - settleMs / 1000),
    requests,
    bytes: bytes / requests,
    cpuMicros: (cpu * 1_000_000) / requests,
    busy,
    others,
  };
};

/** This many requests a second, whether they are answered or not. */
export const steadyLoad = async (
  server: Running,
  plan: Plan,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<Steady> => {
  const { json } = writePlan(newFolder(), plan);
  const given = { url: server.url, plan: json, rate, seconds, connections };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { figures } = await runLoad(process.execPath, [openLoop, ...args]);
  return { ...Value.Parse(OpenLoopSchema, figures), rate };
};
