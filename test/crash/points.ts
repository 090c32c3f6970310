/** Defines the points at which a server under test may be killed: before and after every external effect. */
import { statementNames } from '../support/statements.ts';

const around = (what: string): string[] => [`before ${what}`, `after ${what}`];

/** Messages that pass between the server, its clients and the operators. */
export const messages = {
  arrives: 'as a request arrives',
  connects: 'after a connection to the operator is open',
  sends: 'as a message to the operator is written',
  sent: 'after a message to the operator is written',
  hears: "as the operator's answer begins",
  heard: "after the operator's answer",
  answers: 'before the answer to the client',
  answered: 'after the answer to the client',
} as const;

export const points: readonly string[] = [
  ...statementNames.flatMap(around),
  ...Object.values(messages),
];

/** Passed once at a start, or seldom: killed at the first of them. */
const seldom = /claim|taking over|note|connection/;

/** The pass at which to die: any of the first, if there are many. */
export const passingOf = (point: string, chance: number): number =>
  seldom.test(point) ? 1 : 1 + Math.floor(chance * 40);

export const variable = 'SIMGATE_TEST_DIE_AT';
