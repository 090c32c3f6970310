/** Loads the built-in connectors. */
import type { OperatorConfig } from '../config/config.ts';
import type { Connector } from '../connector/connector.ts';
import { simulator } from './simulator/index.ts';

/**
 * The connectors for these operators, and where one of them asks for another, all. What speaks HTTP
 * takes memory, and is loaded only for those who need it.
 */
export const loadConnectors = async (
  operators: readonly Pick<OperatorConfig, 'connector'>[],
): Promise<readonly Connector[]> => {
  if (operators.every(({ connector }) => connector === simulator.name)) return [simulator];
  const { http } = await import('./http/index.ts');
  return [simulator, http];
};
