import { addressBytes, isIP } from '../core/ip-address';

/** A range of addresses: `10.0.0.0/8`, `2001:db8::/32`. */
export interface Cidr {
  contains(address: string): boolean;
}

/** The range of a text in CIDR notation; undefined for other texts. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  // Go's parser accepts neither a zone nor leading zeros.
  const start = slash < 0 ? undefined : addressBytes(text.slice(0, slash));
  if (start === undefined || !/^(0|[1-9][0-9]{0,2})$/.test(length)) return undefined;
  const prefix = Number(length);
  if (prefix > start.length * 8) return undefined;
  return { contains: (address) => hasPrefix(bytesOf(address), start, prefix) };
}

/** The address of a client may name the zone in which it was seen. */
function bytesOf(address: string): readonly number[] | undefined {
  return isIP(address) === 0 ? undefined : addressBytes(address.replace(/%.*$/s, ''));
}

function hasPrefix(address: readonly number[] | undefined, start: readonly number[], prefix: number): boolean {
  if (address?.length !== start.length) return false;
  return start.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8));
    return byte >> (8 - bits) === address[index]! >> (8 - bits);
  });
}
