/** Kills a server at a named point: loads before its own code and counts the points that it passes. */
import { subscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { statementName } from '../support/statements.ts';
import { messages, variable } from './points.ts';

const [wanted = '', passing = '1'] = (process.env[variable] ?? '').split('#');
let left = Number(passing);

const pass = (point: string): void => {
  if (point !== wanted) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

/** Wraps a method that runs a statement. */
const watchStatements = (method: 'run' | 'all'): void => {
  const original: unknown = Reflect.get(StatementSync.prototype, method);
  if (typeof original !== 'function') throw new Error(`A statement has no ${method}.`);
  const watched = function watched(this: StatementSync, ...values: unknown[]): unknown {
    const name = statementName(this.sourceSQL);
    if (name === undefined) return Reflect.apply(original, this, values);
    pass(`before ${name}`);
    const result: unknown = Reflect.apply(original, this, values);
    pass(`after ${name}`);
    return result;
  };
  Reflect.set(StatementSync.prototype, method, watched);
};

const watchAnswers = (): void => {
  const original: unknown = Reflect.get(ServerResponse.prototype, 'end');
  if (typeof original !== 'function') throw new Error('An answer has no end.');
  const watched = function watched(this: ServerResponse, ...values: unknown[]): unknown {
    pass(messages.answers);
    return Reflect.apply(original, this, values);
  };
  Reflect.set(ServerResponse.prototype, 'end', watched);
};

if (wanted !== '') {
  watchStatements('run');
  watchStatements('all');
  watchAnswers();
  subscribe('http.server.request.start', () => pass(messages.arrives));
  subscribe('http.server.response.finish', () => pass(messages.answered));
  subscribe('undici:client:connected', () => pass(messages.connects));
  subscribe('undici:client:sendHeaders', () => pass(messages.sends));
  subscribe('undici:request:bodySent', () => pass(messages.sent));
  subscribe('undici:request:headers', () => pass(messages.hears));
  subscribe('undici:request:trailers', () => pass(messages.heard));
}
