/** Measures a workload: the gateway and its baseline in alternating rounds, and their medians. */
import { peakMegabytes } from './process-figures.ts';
import type { Running } from './resources.ts';
import type { Stage, Work } from './workloads.ts';
import { type Full, fullLoad, type Steady, steadyLoad } from './wrk.ts';

/** How long and how often. */
export type Span = {
  readonly rounds: number;
  readonly warmSeconds: number;
  readonly fullSeconds: number;
  readonly steadySeconds: number;
};

/** One server's measurements; of the warm-up only the answers other than 200. */
export type Side = {
  readonly warm: Full;
  readonly full: readonly Full[];
  readonly steady: readonly Steady[];
};

export type Measured = {
  readonly work: Pick<Work, 'name' | 'about' | 'ratio' | 'addedP99Ms'>;
  readonly gateway: Side;
  readonly bare: Side;
  /** Purchases a second of the baseline, if it is not the bare server. */
  readonly rival?: readonly number[];
  /** The plain implementation at full speed. */
  readonly peer?: readonly Full[];
  readonly peakMb: number;
};

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

export const medianOf = <T>(items: readonly T[], figure: (item: T) => number): number =>
  median(items.map(figure));

/** A load with its own keys. */
const createLoads = ({ plan }: Stage) => {
  let loads = 0;
  const next = () => {
    loads += 1;
    return plan(`load-${loads}`);
  };
  return {
    full: (server: Running, seconds: number) => fullLoad(server, next(), seconds),
    steady: (server: Running, rate: number, seconds: number) =>
      steadyLoad(server, next(), { rate, seconds }),
  };
};

/** A warm-up: the JIT and the query plans have to see the load first. */
const warmUp = async (stage: Stage, { warmSeconds }: Span) => {
  const { full } = createLoads({ ...stage, plan: (keys) => stage.plan(`warm-${keys}`) });
  const [gateway, bare] = await Promise.all([
    full(stage.gateway, warmSeconds),
    full(stage.bare, warmSeconds),
  ]);
  if (stage.peer !== undefined) await full(stage.peer, warmSeconds);
  await stage.rival?.perSecond(warmSeconds);
  await stage.rival?.analyze();
  return { gateway, bare };
};

/** The full throughput of each, in turn: a slow machine affects both alike. */
const measureFull = async (stage: Stage, { rounds, fullSeconds }: Span) => {
  const { full } = createLoads({ ...stage, plan: (keys) => stage.plan(`full-${keys}`) });
  const [gateway, bare, peer, rival]: [Full[], Full[], Full[], number[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    if (stage.rival === undefined) bare.push(await full(stage.bare, fullSeconds));
    else rival.push(await stage.rival.perSecond(fullSeconds));
    gateway.push(await full(stage.gateway, fullSeconds));
    if (stage.peer !== undefined) peer.push(await full(stage.peer, fullSeconds));
  }
  return {
    gateway,
    bare,
    ...(stage.rival === undefined ? {} : { rival }),
    ...(stage.peer === undefined ? {} : { peer }),
  };
};

/** Both at half of the gateway's throughput. */
const measureSteady = async (stage: Stage, most: number, { rounds, steadySeconds }: Span) => {
  const { steady } = createLoads({ ...stage, plan: (keys) => stage.plan(`steady-${keys}`) });
  const rate = Math.max(1, Math.floor(most / 2));
  const [gateway, bare]: [Steady[], Steady[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await steady(stage.bare, rate, steadySeconds));
    gateway.push(await steady(stage.gateway, rate, steadySeconds));
  }
  return { gateway, bare };
};

export const measure = async (work: Work, span: Span): Promise<Measured> => {
  const stage = await work.open();
  const warm = await warmUp(stage, span);
  const full = await measureFull(stage, span);
  const most = medianOf(full.gateway, ({ perSecond }) => perSecond);
  const steady = await measureSteady(stage, most, span);
  // The process serves this workload alone, so its peak is too, including its start.
  const peakMb = peakMegabytes(stage.gateway.pid);
  await stage.close();
  const { open: _, long: __, ...told } = work;
  return {
    work: told,
    gateway: { warm: warm.gateway, full: full.gateway, steady: steady.gateway },
    bare: { warm: warm.bare, full: full.bare, steady: steady.bare },
    ...(full.rival === undefined ? {} : { rival: full.rival }),
    ...(full.peer === undefined ? {} : { peer: full.peer }),
    peakMb,
  };
};
