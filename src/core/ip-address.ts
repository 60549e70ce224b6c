/** IP addresses as texts. */

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const ZONE = /%[0-9a-zA-Z.:-]+$/;

/** The version of an address: 4 or 6; 0 for other texts. One of version 6 may have a zone. */
export function isIP(text: string): 0 | 4 | 6 {
  if (IPV4.test(text)) return 4;
  return partsOfIpv6(text.replace(ZONE, '')) === undefined ? 0 : 6;
}

/** The bytes of an address without a zone; undefined for other texts. */
export function addressBytes(text: string): readonly number[] | undefined {
  if (IPV4.test(text)) return text.split('.').map(Number);
  return partsOfIpv6(text)?.flatMap((part) => [part >> 8, part & 255]);
}

/** The eight numbers of an address of version 6. */
function partsOfIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [first, second] = halves.map(groupsOf);
  if (first === undefined) return undefined;
  if (halves.length === 1) return first.length === 8 ? first : undefined;
  // The last four bytes may be written as an address of version 4, at the end only.
  if (second === undefined || halves[0]!.includes('.')) return undefined;
  const left = 8 - first.length - second.length;
  return left < 1 ? undefined : [...first, ...Array<number>(left).fill(0), ...second];
}

function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const texts = text.split(':');
  const last = texts.at(-1)!;
  const isMixed = IPV4.test(last);
  const groups = isMixed ? texts.slice(0, -1) : texts;
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  if (!isMixed) return numbers;
  const [a, b, c, d] = last.split('.').map(Number) as [number, number, number, number];
  return [...numbers, a * 256 + b, c * 256 + d];
}
