import { BlockList, isIP, isIPv6 } from 'node:net';

/** A range of addresses: `10.0.0.0/8`, `2001:db8::/32`. */
export interface Cidr {
  contains(address: string): boolean;
}

/** The range of a text in CIDR notation; undefined for other texts. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  const version = slash < 0 ? 0 : isIP(address);
  // Go's parser accepts neither a zone nor leading zeros; Node's accepts a zone.
  if (version === 0 || address.includes('%') || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const prefix = Number(length);
  if (prefix > (version === 4 ? 32 : 128)) return undefined;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(address, prefix, family);
  return { contains: (other) => familyOf(other) === family && range.check(other, family) };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  if (isIP(address) === 0) return undefined;
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
