/** Lists URLs by which a webhook could reach non-public addresses, and the names that resolve to them. */

/** Notations of one IPv4 address that browsers and libraries have been known to accept. */
const spellings = (address: string): string[] => {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const wide = (text: string): string =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const pair = (high: number, low: number): string => (high * 256 + low).toString(16);
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    octal(whole),
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    wide(address),
    address.replaceAll('.', '。'),
    encodeURIComponent(address).replaceAll('.', '%2E'),
    `[::ffff:${address}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
    `[2001:0:${pair(a, b)}:${pair(c, d)}::1]`,
  ];
};

/** Loopback, private networks, link-local, cloud metadata, shared, multicast, reserved. */
const forbidden4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
];

const singles = [
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff:ffff::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[3fff::1]',
  '[64:ff9b:1::1]',
  '[4000::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  'shop.local',
  'metadata.google.internal',
  'intranet',
  'printer.lan',
];

/** The test's own names and their addresses; several lists are for successive lookups. */
export const hostileNames: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'to-loopback.example': [['127.0.0.1']],
  'to-loopback6.example': [['::1']],
  'to-mapped.example': [['::ffff:127.0.0.1']],
  'to-mapped-hex.example': [['::ffff:7f00:1']],
  'to-metadata.example': [['169.254.169.254']],
  'to-metadata6.example': [['fd00:ec2::254']],
  'to-private.example': [['10.1.2.3']],
  'to-link.example': [['fe80::1']],
  'to-zone.example': [['fe80::1%eth0']],
  'to-nothing.example': [[]],
  'to-nonsense.example': [['not an address']],
  // One good address does not excuse the other.
  'to-both.example': [['93.184.215.14', '127.0.0.1']],
  'to-both6.example': [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
  // Rebinding: the checked answer and the connection never differ.
  'rebinds.example': [['127.0.0.1'], ['93.184.215.14']],
  'rebinds-later.example': [['10.0.0.1'], ['93.184.215.14'], ['127.0.0.1']],
};

/** At least two hundred. */
export const hostileUrls: readonly string[] = [
  ...forbidden4.flatMap((address) => spellings(address).map((host) => `https://${host}/hook`)),
  ...singles.map((host) => `https://${host}/hook`),
  ...Object.keys(hostileNames).map((name) => `https://${name}/hook`),
  // Public addresses without https.
  'http://93.184.215.14/',
  'http://shop.example/',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  // Ambiguous URLs.
  'https://shop.example@127.0.0.1/',
  'https://shop.example:443@127.0.0.1/',
  'https://127.0.0.1#@shop.example/',
  'https://127.0.0.1\\@shop.example/',
  'https://127.0.0.1:80\\.shop.example/',
  'https:127.0.0.1/',
  'https:/127.0.0.1/',
  'https:///127.0.0.1/',
  '\thttps://127.0.0.1/',
  'https://127.0.0.1\t/',
  'https://127.0.0.1%00.shop.example/',
  'https://127.0.0.1%09/',
  'https://[::1%25lo]/',
  'https://[::ffff:127.0.0.1%25lo]/',
  'https://①②⑦.⓪.⓪.①/',
  'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  '//127.0.0.1/',
  '127.0.0.1',
  '',
];
