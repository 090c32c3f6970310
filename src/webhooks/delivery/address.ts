/** Decides which addresses webhooks may be sent to: public ones, and configured networks. Pure. */

import { isIP } from 'node:net';
import { networkTest } from '../../clients/network.ts';
import { persianDigits, type Text } from '../../lib/text.ts';

/** Addresses that are not public hosts, by the registries of special addresses. */
const special4 = networkTest([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Where a cloud machine requests its platform's keys.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** All addresses assigned to hosts; not those that embed IPv4, nor those for tests or tunnels. */
const global6 = networkTest(['2000::/3']);
const special6 = networkTest(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !special4(address);
    case 6:
      // An address with a zone belongs to a link.
      return !address.includes('%') && global6(address) && !special6(address);
    default:
      return false;
  }
};

/** Whether an address may be connected to; `secure` if by TLS. */
export type AddressPolicy = (address: string, secure: boolean) => boolean;

export const createAddressPolicy = (networks: readonly string[]): AddressPolicy => {
  const isAllowed = networks.length === 0 ? () => false : networkTest(networks);
  return (address, secure) => isAllowed(address) || (secure && isPublicAddress(address));
};

// Names that no public server has, by the registry of special names.
const localName =
  /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|onion|invalid|test)\.?$/i;

const longestUrl = 2048;

const problems = {
  tooLong: {
    en: `url must have at most ${longestUrl} characters.`,
    fa: `url باید حداکثر ${persianDigits(longestUrl)} نویسه داشته باشد.`,
  },
  notAbsolute: {
    en: 'url must be an absolute URL such as https://shop.example/hooks.',
    fa: 'url باید نشانی کاملی مانند https://shop.example/hooks باشد.',
  },
  hasUser: {
    en: 'url must not contain a user name or password.',
    fa: 'url نباید نام کاربری یا گذرواژه داشته باشد.',
  },
  hasFragment: {
    en: 'url must not contain a fragment ("#").',
    fa: 'url نباید بخش پس از # داشته باشد.',
  },
  notSecure: { en: 'url must start with https://.', fa: 'url باید با https:// آغاز شود.' },
  notPublic: {
    en: 'url must be a public address with https.',
    fa: 'url باید نشانی عمومی با https باشد.',
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Why a text cannot be the URL of an endpoint; undefined if it can. */
export const urlProblem = (text: string, permits: AddressPolicy): Text | undefined => {
  if (text.length > longestUrl) return problems.tooLong;
  const url = URL.parse(text);
  if (url === null) return problems.notAbsolute;
  if (url.username !== '' || url.password !== '') return problems.hasUser;
  if (url.hash !== '') return problems.hasFragment;
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) {
    if (permits(host, secure)) return undefined;
  } else if (!secure) {
    return problems.notSecure;
  } else if (host.includes('.') && !localName.test(host)) {
    return undefined;
  }
  return problems.notPublic;
};
