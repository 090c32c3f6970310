/** Tests that an address matches exactly the networks it lies in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isNetwork, networkTest } from './network.ts';

const v4 = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const bits4 = fc.integer({ min: 0, max: 32 });
const printV4 = (value: number): string =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');

const v6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const bits6 = fc.integer({ min: 0, max: 128 });
const printV6 = (value: bigint): string =>
  (value.toString(16).padStart(32, '0').match(/.{4}/g) ?? []).join(':');

/** Whether two addresses share their first bits, by arithmetic alone. */
const share = (one: bigint, other: bigint, bits: number, all: number): boolean =>
  one >> BigInt(all - bits) === other >> BigInt(all - bits);

/** An address near a network, so that both answers occur. */
const near4 = fc.tuple(v4, bits4, v4, fc.boolean()).map(([network, bits, other, inside]) => {
  const mask = bits === 0 ? 0 : (0xff_ff_ff_ff << (32 - bits)) >>> 0;
  const address = inside ? ((network & mask) | (other & ~mask)) >>> 0 : other;
  return { network, bits, address };
});

test('an IPv4 address matches exactly if its first bits are those of the network', () => {
  fc.assert(
    fc.property(near4, ({ network, bits, address }) => {
      const allows = networkTest([`${printV4(network)}/${bits}`]);
      const inside = share(BigInt(network), BigInt(address), bits, 32);
      assert.equal(allows(printV4(address)), inside);
    }),
    { numRuns: 1000 },
  );
});

test('an IPv4 address mapped to IPv6 is the IPv4 address', () => {
  fc.assert(
    fc.property(
      near4,
      fc.constantFrom('::ffff:', '::FFFF:'),
      ({ network, bits, address }, form) => {
        const allows = networkTest([`${printV4(network)}/${bits}`]);
        assert.equal(allows(form + printV4(address)), allows(printV4(address)));
      },
    ),
  );
});

test('an IPv6 address matches exactly if its first bits are those of the network', () => {
  fc.assert(
    fc.property(v6, bits6, v6, fc.boolean(), (network, bits, other, inside) => {
      const low = 2n ** BigInt(128 - bits) - 1n;
      const address = inside ? (network & ~low) | (other & low) : other;
      // ::ffff:0:0/96 is IPv4, which has its own test.
      fc.pre(address >> 32n !== 0xffffn && network >> 32n !== 0xffffn);
      const allows = networkTest([`${printV6(network)}/${bits}`]);
      assert.equal(allows(printV6(address)), share(network, address, bits, 128));
    }),
    { numRuns: 1000 },
  );
});

test('an address without a prefix length is a network of that address alone', () => {
  const allows = networkTest(['10.0.0.1', '2001:db8::1']);
  assert.ok(allows('10.0.0.1'));
  assert.ok(allows('2001:db8::1'));
  assert.ok(allows('2001:0db8:0:0:0:0:0:1'));
  assert.ok(!allows('10.0.0.2'));
  assert.ok(!allows('2001:db8::2'));
});

test('one matching network of several is enough', () => {
  const allows = networkTest(['10.0.0.0/8', '192.168.1.0/24', 'fd00::/8']);
  for (const address of ['10.255.0.1', '192.168.1.77', 'fd12::1']) assert.ok(allows(address));
  for (const address of ['11.0.0.1', '192.168.2.1', 'fe80::1']) assert.ok(!allows(address));
});

test('an empty list allows every address', () => {
  const allows = networkTest([]);
  for (const address of ['1.2.3.4', '::1', '']) assert.ok(allows(address));
});

test('anything but an address never matches a list', () => {
  const allows = networkTest(['0.0.0.0/0', '::/0']);
  for (const address of ['', 'localhost', '1.2.3', '1.2.3.4/8', '999.1.1.1', 'unix:', '::ffff:x']) {
    assert.ok(!allows(address), address);
  }
});

test('a list without a readable entry allows no address', () => {
  assert.ok(!networkTest(['nonsense'])('1.2.3.4'));
});

test('addresses and networks are recognized', () => {
  for (const right of ['1.2.3.4', '0.0.0.0/0', '10.0.0.0/32', '::', '::1/128', 'fd00::/8']) {
    assert.ok(isNetwork(right), right);
  }
  const wrong = [
    '',
    '/',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
  ];
  for (const text of [
    ...wrong,
    '10.0.0/8',
    '10.0.0.0/a',
    '10.0.0.0/1e1',
    'host',
    '1.2.3.4 ',
    '*',
  ]) {
    assert.ok(!isNetwork(text), text);
  }
});
