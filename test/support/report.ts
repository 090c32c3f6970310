/** Reports a test process to test/run.ts: a line of JSON for each test that begins or ends, and the counts. */
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

const lineOf = ({ type, data }: TestEvent): object | undefined => {
  if (type === 'test:dequeue') return { began: data.name };
  if (type === 'test:complete') return { ended: data.name };
  // For a process that is killed before it lists its failures.
  if (type === 'test:fail') return { failed: data.name, why: inspect(data.details.error) };
  if (type === 'test:summary') return { counts: data.counts };
  return undefined;
};

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = lineOf(event);
    if (line !== undefined) yield `${JSON.stringify(line)}\n`;
  }
}
