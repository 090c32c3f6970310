/** Shortens a value of a file for an error message. */

const longestShown = 40;

export const show = (value: unknown): string => {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value);
  }
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
};
