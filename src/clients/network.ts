/** Matches addresses against a list of networks. */
import { BlockList, isIP } from 'node:net';

type Family = 'ipv4' | 'ipv6';
type Network = { readonly address: string; readonly family: Family; readonly bits: number };

/** An IPv4 address mapped to IPv6 is the IPv4 address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

const familyOf = (address: string): Family | undefined => {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
};

const readNetwork = (text: string): Network | undefined => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || rest.length > 0) return undefined;
  const all = family === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return undefined;
  const count = bits === undefined ? all : Number(bits);
  return count > all ? undefined : { address, family, bits: count };
};

export const isNetwork = (text: string): boolean => readNetwork(text) !== undefined;

/** A test for addresses; an empty list of networks allows every address. */
export const networkTest = (networks: readonly string[]): ((address: string) => boolean) => {
  if (networks.length === 0) return () => true;
  const allowed = new BlockList();
  for (const network of networks.map(readNetwork)) {
    if (network !== undefined) allowed.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const family = familyOf(plain(address));
    return family !== undefined && allowed.check(plain(address), family);
  };
};

/** The network of one customer: an IPv4 address, 64 bits of IPv6. */
export const networkOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
