/** Exports what the tests of connectors import as `simgate/connector-suite`. */
export { sleep, systemClock } from '../../lib/clock.ts';
export { maskSettings } from '../settings/mask.ts';
export { inquireAt } from './inquire-at.ts';
export { openConnection } from './open-connection.ts';
export { answerText, type RawOperator, type Script, startRawOperator } from './raw-operator.ts';
export { connectorSuite } from './suite.ts';
export type { TestBed } from './test-bed.ts';
export { type Open, wireSuite } from './wire-suite.ts';
