/** Owns the operators' part of the configuration: their defaults, and what the address of a simulator server makes of them. */
import type { OperatorConfig } from './config.ts';

export const operatorIds = [1, 2, 3, 4, 5] as const;

type Given = ReadonlyMap<string, Partial<Omit<OperatorConfig, 'id'>> | undefined>;

/** Only operator 2 lists personal offers, as the contract has it. */
const operatorDefaults = (id: number): OperatorConfig => ({
  id,
  name: `operator_${id}`,
  connector: 'simulator',
  settings: id === 2 ? { offers: true } : {},
});

/**
 * What the simulator promises in this process it promises as a server too, so that a purchase goes the
 * same ways in the same times: five seconds for a call, three more for what is slow.
 */
const serverSettings = (id: number): OperatorConfig['settings'] => ({
  headersMs: 5_000,
  answerMs: 5_000,
  settlesWithin: 3_000,
  inquiries: { firstInquiryMs: 1_000, widestInquiryMs: 4_000, reviewAfterMs: 30_000 },
  offers: id === 2,
});

/** One operator of a simulator server. Settings that a file gives for another connector do not fit here. */
const onServer = (operator: OperatorConfig, given: Given, url: string): OperatorConfig => {
  const { connector = 'http', settings = {} } = given.get(String(operator.id)) ?? {};
  return {
    ...operator,
    connector: 'http',
    settings: {
      ...serverSettings(operator.id),
      ...(connector === 'http' ? settings : {}),
      baseUrl: `${url}/operators/${operator.id}`,
    },
  };
};

/** All operators: what is given over the defaults, and the server over both. */
export const operatorsOf = (given: Given, serverUrl: string | undefined): OperatorConfig[] =>
  operatorIds.map((id) => {
    const operator = { ...operatorDefaults(id), ...given.get(String(id)) };
    return serverUrl === undefined ? operator : onServer(operator, given, serverUrl);
  });
