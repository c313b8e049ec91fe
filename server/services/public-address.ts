import { BlockList, isIP } from 'node:net';

/** Networks that no request on a user's behalf may reach: this host, private and special ranges (RFC 6890). */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
const PRIVATE_V6 = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['ff00::', 8],
] as const;

const privateNetworks = new BlockList();
for (const [net, bits] of PRIVATE_V4) privateNetworks.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of PRIVATE_V6) privateNetworks.addSubnet(net, bits, 'ipv6');

/** Link-local holds the metadata services of clouds: never, whatever else is allowed. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

const MAPPED = /^::ffff:(?:0:)?(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/** The IPv4 address inside an IPv4-mapped IPv6 one; the address itself otherwise. */
function unmapped(address: string): string {
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return address;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Why an address may not be reached; null where it may. `allowPrivate`: only link-local is refused. */
export function refusedAddress(address: string, allowPrivate: boolean): string | null {
  const plain = unmapped(address.replace(/%.*$/, ''));
  const version = isIP(plain);
  if (version === 0) return 'is no address';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (linkLocal.check(plain, family)) return 'is link-local, where clouds keep their metadata';
  return !allowPrivate && privateNetworks.check(plain, family) ? 'is not public' : null;
}
