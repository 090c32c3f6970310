/** Resolves host names without Node's thread pool, and permits only checked addresses. */
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressPolicy } from './address.ts';

/** Every address of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Not sent: no name server resolves the name. */
export class Nameless extends Error {
  override readonly name = 'Nameless';
}

/** A DNS query takes this long, and is sent this often. */
const nameServerMs = 2000;
const nameServerTries = 2;

/**
 * Asks the system's name servers without Node's thread pool: its few threads are shared by all lookups, and a
 * name whose server does not answer would delay the others, including operators.
 */
export const createNames = (servers: readonly string[] | undefined) => {
  const resolver = new Resolver({ timeout: nameServerMs, tries: nameServerTries });
  if (servers !== undefined) resolver.setServers(servers);
  const resolve: Resolve = async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const failed = answers.find((one) => one.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) {
      throw new Nameless('The name means no address.', { cause: failed.reason });
    }
    return addresses;
  };
  return { resolve, cancel: () => resolver.cancel() };
};

/** Not sent: the address is not permitted. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
}

/** A host without the brackets of an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The addresses of the host, all of which are permitted; throws if one is not. */
export const permittedAddresses = async (
  hostname: string,
  { resolve, permits, secure }: { resolve: Resolve; permits: AddressPolicy; secure: boolean },
): Promise<readonly string[]> => {
  const host = bareHost(hostname);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (addresses.length === 0 || !addresses.every((address) => permits(address, secure))) {
    throw new Forbidden('The address is not a public one.');
  }
  return addresses;
};
