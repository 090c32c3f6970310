/** Owns how a page shows a long list: one of its pages at a time, with page and filters in the address. */
import { type RaRecord, useListController } from 'ra-core';
import { useCallback } from 'react';

// As many as the gateway gives at once; it decides, and this only has to be the same everywhere.
const perPage = 100;

/** A list of the data provider. Errors are given back, to be shown where the list would be. */
export const useLongList = <Row extends RaRecord>(resource: string) => {
  const list = useListController<Row>({
    resource,
    perPage,
    exporter: false,
    queryOptions: { onError: () => undefined },
  });
  const { setFilters } = list;
  const filters: unknown = list.filterValues;
  /** Shows what fits these, from the first page on; what is empty is left out. */
  const filterBy = useCallback(
    (wanted: Readonly<Record<string, string>>): void =>
      setFilters(
        Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== '')),
        {},
      ),
    [setFilters],
  );
  /** What a filter is set to; empty where it is not. */
  const filterOf = (name: string): string => {
    const value: unknown =
      typeof filters === 'object' && filters !== null ? Reflect.get(filters, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { list, rows: list.data ?? [], filterBy, filterOf };
};
