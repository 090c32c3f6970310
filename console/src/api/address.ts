/** Reads and changes the query of the address: filters, pages, tabs. */
import { useNavigate, useSearchParams } from 'react-router';

/** What a change makes of the query in force. */
export type AddressChange = (current: URLSearchParams) => URLSearchParams;

type Options = { readonly replace?: boolean; readonly state?: unknown };

/** The query in force. The page follows it when there is time, so that what it shows may be older. */
export const currentAddress = (): URLSearchParams => new URLSearchParams(window.location.search);

/** The state of the entry of the history that is in force. */
export const currentState = (): unknown => {
  const entry: unknown = window.history.state;
  // The router keeps its own state beside it.
  return typeof entry === 'object' && entry !== null && 'usr' in entry ? entry.usr : undefined;
};

/** The query that the page shows, and how to change the one in force. */
export const useAddress = (): readonly [
  URLSearchParams,
  (change: AddressChange, options?: Options) => void,
] => {
  const navigate = useNavigate();
  const [shown] = useSearchParams();
  const change = (to: AddressChange, options?: Options): void => {
    void navigate(`?${to(currentAddress())}`, options);
  };
  return [shown, change];
};
