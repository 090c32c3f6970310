/** Measures from outside how long a server's event loop is blocked. */
import { Agent, get } from 'node:http';
import { setTimeout as rest } from 'node:timers/promises';

export type EventLoop = {
  /** The longest delay since the last reading, in milliseconds. */
  readonly delayMs: () => Promise<number>;
  readonly source: () => 'metrics' | 'probe';
  readonly close: () => void;
};

const probeEveryMs = 50;

/** Passed to a server as METRICS_TOKEN, it allows reading its metrics. */
export const metricsToken = 'a-token-for-the-look-at-metrics';

const headers = { authorization: `Bearer ${metricsToken}` };

const fetchText = (url: string, agent: Agent): Promise<string | undefined> =>
  new Promise((resolve) => {
    get(url, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(response.statusCode === 200 ? text : undefined));
    }).on('error', () => resolve(undefined));
  });

/** The highest of the server's own event-loop delays, which Prometheus has in seconds. */
export const delayIn = (metrics: string): number | undefined => {
  const found = metrics.matchAll(
    /^\w*event_?loop_(?:delay|lag)\w*(?<!_count|_sum|_bucket)(?:\{[^}]*\})? ([\d.e+-]+)$/gim,
  );
  const values = [...found].map(([, seconds]) => Number(seconds) * 1000).filter(Number.isFinite);
  return values.length === 0 ? undefined : Math.max(...values);
};

/** From the server's own metric if it has one, else from the latency of its liveness route. */
export const watchEventLoop = (url: string): EventLoop => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let [longest, closed, fromMetrics] = [0, false, false];
  const isNeeded = (): boolean => !closed && !fromMetrics;
  const probe = async (): Promise<void> => {
    while (isNeeded()) {
      const begin = performance.now();
      await fetchText(`${url}/health/live`, agent);
      longest = Math.max(longest, performance.now() - begin);
      await rest(probeEveryMs);
    }
  };
  void probe();
  return {
    delayMs: async () => {
      const own = delayIn((await fetchText(`${url}/metrics`, agent)) ?? '');
      const probed = longest;
      longest = 0;
      fromMetrics = own !== undefined;
      return own ?? probed;
    },
    source: () => (fromMetrics ? 'metrics' : 'probe'),
    close: () => {
      closed = true;
      agent.destroy();
    },
  };
};
