/** Names what dates a sale: a time zone, and the version of the rules of its clocks. Pure. */

/** The rules that this process knows. Another version of Node may date an old posting otherwise. */
export const knownRules = process.versions['tz'] ?? 'unknown';

/** As it is stored with what was counted. */
export const datedBy = (zone: string, rules: string): string => `${zone} ${rules}`;

export const readDatedBy = (text: string): { readonly zone: string; readonly rules: string } => {
  const [zone = '', rules = ''] = text.split(' ');
  return { zone, rules };
};
