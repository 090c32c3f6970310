/** Collects spans on this machine: a receiver of OTLP over HTTP, as JSON. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { at, keysOf, listOf } from './answers.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { eventually, parsed } from './live.ts';

export type CollectedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** 2 for an error, 0 if unset. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
};

const valueOf = (value: unknown): unknown => {
  const whole = at(value, 'intValue');
  return whole === undefined ? at(value, 'stringValue') : Number(whole);
};

const spanOf = (span: unknown): CollectedSpan => ({
  name: String(at(span, 'name')),
  traceId: String(at(span, 'traceId')),
  spanId: String(at(span, 'spanId')),
  parentSpanId: keysOf(span).includes('parentSpanId') ? String(at(span, 'parentSpanId')) : '',
  kind: Number(at(span, 'kind')),
  status: Number(at(span, 'status', 'code') ?? 0),
  attributes: Object.fromEntries(
    listOf(at(span, 'attributes')).map((one) => [
      String(at(one, 'key')),
      valueOf(at(one, 'value')),
    ]),
  ),
});

const spansIn = (body: string): CollectedSpan[] =>
  listOf(at(parsed(body), 'resourceSpans'))
    .flatMap((resource) => listOf(at(resource, 'scopeSpans')))
    .flatMap((scope) => listOf(at(scope, 'spans')))
    .map(spanOf);

export const startCollector = async () => {
  const bodies: string[] = [];
  let [silent, asked] = [false, 0];
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await textOf(incoming);
    asked += 1;
    if (silent) return;
    bodies.push(body);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  cleanUpAfterTest(async () => stop());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const spans = (): CollectedSpan[] => bodies.flatMap(spansIn);
  return {
    /** The environment of a process that exports here. */
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    /** All that was received, as text. */
    text: (): string => bodies.join('\n'),
    asked: (): number => asked,
    spans,
    /** The spans of a trace, once there is one of each name. */
    trace: async (traceId: string, ...names: readonly string[]): Promise<CollectedSpan[]> => {
      const found = (): CollectedSpan[] => spans().filter((span) => span.traceId === traceId);
      await eventually(`there are ${names.join(', ')} of a trace`, async () =>
        names.every((name) => found().some((span) => span.name === name)),
      );
      return found();
    },
    /** Accepts everything, and never answers. */
    fallSilent: (): void => {
      silent = true;
    },
    stop,
  };
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;
