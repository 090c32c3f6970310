/** Finds the documentation, if the gateway serves it. */
import { useRead } from '../api/hooks.ts';
import { apiBase } from '../place.ts';

/** The address of a page of the documentation; undefined if it is not served. */
export const useDocs = (page = ''): string | undefined => {
  const { data } = useRead('getSettings', {}, { staleTime: 300_000 });
  const served = data?.config.find(({ name }) => name === 'http.docs')?.value;
  return served === undefined || served === 'off' ? undefined : `${apiBase}/docs/${page}`;
};
