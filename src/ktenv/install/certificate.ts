import { fromBase64, latin1, textOfUtf8 } from '../../core/bytes';
import { sha256Hex } from '../../core/sha256';
import { type DerValue, der, expected, firstDer, NotDer, TAG, within } from './der';

/** What a certificate says. */
export interface Certificate {
  /** The parts of the issuer's name, one on each line: `CN=…`. */
  readonly issuer: string;
  /** The parts of the name of the holder, one on each line. */
  readonly subject: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The DNS names that it is valid for. */
  readonly dnsNames: readonly string[];
  /** The SHA-256 of the SubjectPublicKeyInfo. */
  readonly keyDigest: string;
}

/**
 * The public keys of the key pairs that upstream publishes, as SHA-256 of their SubjectPublicKeyInfo: the key of the webhook
 * of 0.6.0, the key of its authority, and the key of the webhook up to 0.5.4.
 */
const PUBLISHED_KEYS: ReadonlySet<string> = new Set([
  '073e3e421384d3dd7498607e646405ea1e37ca5f6748d3140c003bb93f242e32',
  '1b3bc20bbba2b1345c9a3cc06e35f6f2e910a013e02d94970292b0946c5dd064',
  '6bade0af231a6b8fcca50b17426389a5b5d1ba3c8815784f8a70ba8c2b669d4f',
]);

/**
 * The name of upstream's authorities, and the validity periods of each and of the certificates that it issued. The name
 * alone is not enough, because upstream's script gives it to every user's own authority.
 */
const ISSUER = 'CN=Virtual Environment Admission Controller Webhook CA';
const DAYS: readonly (readonly [from: string, to: string])[] = [
  ['2021-09-17', '2031-09-15'],
  ['2020-08-25', '2030-08-23'],
];

/** The certificates in a text; blocks that cannot be parsed are left out. */
export function certificatesIn(text: string): Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => readOrNothing(() => certificateOf(bytesOf(block))));
}

/** Whether a text contains one of the certificates whose private key upstream publishes. */
export function isPublished(text: string): boolean {
  return certificatesIn(text).some(
    ({ keyDigest, issuer, validFrom, validTo }) =>
      PUBLISHED_KEYS.has(keyDigest) ||
      (issuer === ISSUER && DAYS.some(([from, to]) => dayOf(validFrom) === from && dayOf(validTo) === to)),
  );
}

/**
 * Whether a text contains a private key with one of these public keys.
 * @param known digests from `publicKeyDigests`
 */
export function holdsPrivateKey(text: string, known: ReadonlySet<string> = PUBLISHED_KEYS): boolean {
  return publicKeyDigests(text).some((digest) => known.has(digest));
}

/** The public keys of the private keys in a text, as SHA-256 of their SubjectPublicKeyInfo. */
export function publicKeyDigests(text: string): string[] {
  const blocks =
    text.match(/-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[^-]+-----END (?:RSA |EC )?PRIVATE KEY-----/g) ?? [];
  return blocks.flatMap((block) => readOrNothing(() => sha256Hex(publicKeyOf(bytesOf(block), kindOf(block)))));
}

/** The names that a certificate is valid for. */
export function namesIn({ dnsNames, subject }: Certificate): readonly string[] {
  // The API server no longer accepts the common name, so it is only for the message.
  return dnsNames.length > 0 ? dnsNames : subject.split('\n').filter((part) => part.startsWith('CN='));
}

/** Whether the DNS names of a certificate cover a host: one label of a name may be `*`, the first. */
export function isForHost({ dnsNames }: Certificate, host: string): boolean {
  const asked = host.toLowerCase();
  const parent = asked.slice(asked.indexOf('.'));
  return dnsNames.some((name) => name.toLowerCase() === asked || name.toLowerCase() === `*${parent}`);
}

/** Decodes base64, in which Secrets and webhooks have certificates. */
export function decoded(base64: string): string {
  return textOfUtf8(fromBase64(base64));
}

function bytesOf(block: string): Uint8Array {
  return fromBase64(block.replace(/-----[^-]+-----/g, ''));
}

/** A list of one, or an empty one if the bytes are not what they say. */
function readOrNothing<Result>(read: () => Result): Result[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof NotDer) return [];
    throw error;
  }
}

/** RFC 5280, section 4.1. */
function certificateOf(bytes: Uint8Array): Certificate {
  const [signed] = within(firstDer(bytes, TAG.sequence));
  const fields = within(signed);
  // The first field is the version, which certificates of version 1 leave out.
  const [, , issuer, validity, subject, key] = fields[0]?.tag === VERSION ? fields.slice(1) : fields;
  const [from, to] = within(validity);
  const extensions = fields.find(({ tag }) => tag === EXTENSIONS);
  return {
    issuer: nameOf(issuer),
    subject: nameOf(subject),
    validFrom: dateOf(from),
    validTo: dateOf(to),
    dnsNames: extensions === undefined ? [] : dnsNamesIn(extensions),
    keyDigest: sha256Hex(expected(key, TAG.sequence).whole),
  };
}

const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;

/** The parts of names that certificates of webhooks have; others are shown by their number. */
const NAME_PARTS: Readonly<Record<string, string>> = {
  '85,4,3': 'CN',
  '85,4,6': 'C',
  '85,4,7': 'L',
  '85,4,8': 'ST',
  '85,4,10': 'O',
  '85,4,11': 'OU',
};
const SUBJECT_ALT_NAME = '85,29,17';

function nameOf(name: DerValue | undefined): string {
  const parts = within(name).flatMap((set) => within(set, TAG.set));
  return parts
    .map((part) => {
      const [type, value] = within(part);
      const id = expected(type, TAG.oid).content.join();
      if (value === undefined) throw new NotDer();
      return `${NAME_PARTS[id] ?? id}=${textOfUtf8(value.content)}`;
    })
    .join('\n');
}

function dnsNamesIn(extensions: DerValue): string[] {
  const [list] = within(extensions, EXTENSIONS);
  const found = within(list)
    .map((extension) => within(extension))
    .find(([id]) => expected(id, TAG.oid).content.join() === SUBJECT_ALT_NAME);
  const value = found?.at(-1);
  if (value === undefined) return [];
  const names = within(firstDer(expected(value, TAG.octetString).content, TAG.sequence));
  return names.filter(({ tag }) => tag === DNS_NAME).map(({ content }) => latin1(content));
}

/** `YYMMDDhhmmssZ`, with years from 1950 to 2049, or `YYYYMMDDhhmmssZ`. */
function dateOf(time: DerValue | undefined): Date {
  const text = latin1(time?.content ?? new Uint8Array());
  const [, year = '', month, day, hour, minute, second] =
    /^(\d{4}|\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/.exec(text) ?? [];
  const isTime = time?.tag === (year.length === 2 ? TAG.utcTime : TAG.generalizedTime);
  if (!isTime || year === '') throw new NotDer();
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const date = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(date.getTime())) throw new NotDer();
  return date;
}

type KeyKind = 'RSA' | 'EC' | 'any';

function kindOf(block: string): KeyKind {
  return block.startsWith('-----BEGIN RSA') ? 'RSA' : block.startsWith('-----BEGIN EC') ? 'EC' : 'any';
}

/** The SubjectPublicKeyInfo of a private key, in the form of its kind (RFC 8017, RFC 5915) or of any kind (RFC 5958). */
function publicKeyOf(bytes: Uint8Array, kind: KeyKind): Uint8Array {
  const fields = within(firstDer(bytes, TAG.sequence));
  if (kind === 'RSA') return rsaKeyOf(fields);
  if (kind === 'EC') return ecKeyOf(fields, undefined);
  const [, algorithm, key] = fields;
  const [id, curve] = within(algorithm);
  const own = within(firstDer(expected(key, TAG.octetString).content, TAG.sequence));
  return expected(id, TAG.oid).content.join() === RSA.join() ? rsaKeyOf(own) : ecKeyOf(own, curve);
}

/** The number of the algorithm rsaEncryption. */
const RSA = Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1);
/** The number of the algorithm ecPublicKey. */
const EC = Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1);
const EC_PARAMETERS = 0xa0;
const EC_PUBLIC_KEY = 0xa1;

function rsaKeyOf([, modulus, exponent]: readonly DerValue[]): Uint8Array {
  const key = der(TAG.sequence, expected(modulus, TAG.integer).whole, expected(exponent, TAG.integer).whole);
  const algorithm = der(TAG.sequence, der(TAG.oid, RSA), der(TAG.null));
  return der(TAG.sequence, algorithm, der(TAG.bitString, Uint8Array.of(0), key));
}

/** Tools write the public key into the private one; without it, the pair is not known. */
function ecKeyOf(fields: readonly DerValue[], named: DerValue | undefined): Uint8Array {
  const parameters = fields.find(({ tag }) => tag === EC_PARAMETERS);
  const curve = named ?? (parameters && within(parameters, EC_PARAMETERS)[0]);
  const [point] = within(
    fields.find(({ tag }) => tag === EC_PUBLIC_KEY),
    EC_PUBLIC_KEY,
  );
  const algorithm = der(TAG.sequence, der(TAG.oid, EC), expected(curve, TAG.oid).whole);
  return der(TAG.sequence, algorithm, expected(point, TAG.bitString).whole);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
