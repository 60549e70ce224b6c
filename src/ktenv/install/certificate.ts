import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

/**
 * The public halves of what upstream publishes, as SHA-256 of their SubjectPublicKeyInfo: the webhook's key of 0.6.0, the
 * key of its authority, and the webhook's key of the releases up to 0.5.4.
 */
const PUBLISHED_KEYS: ReadonlySet<string> = new Set([
  '073e3e421384d3dd7498607e646405ea1e37ca5f6748d3140c003bb93f242e32',
  '1b3bc20bbba2b1345c9a3cc06e35f6f2e910a013e02d94970292b0946c5dd064',
  '6bade0af231a6b8fcca50b17426389a5b5d1ba3c8815784f8a70ba8c2b669d4f',
]);

/**
 * Upstream's authorities by their name, and the days from and to which each of them and what it issued counts. The name
 * alone tells nothing: upstream's script gives it to everybody's own authority.
 */
const ISSUER = 'CN=Virtual Environment Admission Controller Webhook CA';
const DAYS: readonly (readonly [from: string, to: string])[] = [
  ['2021-09-17', '2031-09-15'],
  ['2020-08-25', '2030-08-23'],
];

/** The certificates in a text; what only looks like one is left out. */
export function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return new X509Certificate(block);
    } catch {
      return [];
    }
  });
}

/** Whether a text holds one of the certificates that upstream publishes together with the private key. */
export function isPublished(text: string): boolean {
  return certificatesIn(text).some(
    ({ publicKey, issuer, validFrom, validTo }) =>
      PUBLISHED_KEYS.has(digestOf(publicKey)) ||
      (issuer === ISSUER && DAYS.some(([from, to]) => dayOf(validFrom) === from && dayOf(validTo) === to)),
  );
}

/**
 * Whether a text holds a private key whose public half is known.
 * @param known digests as `publicKeyDigests` gives them
 */
export function holdsPrivateKey(text: string, known: ReadonlySet<string> = PUBLISHED_KEYS): boolean {
  return publicKeyDigests(text).some((digest) => known.has(digest));
}

/** The public halves of the private keys in a text, as SHA-256 of their SubjectPublicKeyInfo. */
export function publicKeyDigests(text: string): string[] {
  const blocks =
    text.match(/-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[^-]+-----END (?:RSA |EC )?PRIVATE KEY-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return digestOf(createPublicKey(block));
    } catch {
      return [];
    }
  });
}

/** The names for which a certificate counts. */
export function namesIn({ subjectAltName, subject }: X509Certificate): string[] {
  const names = [...(subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name!);
  // Go, of which the API server is made, reads the common name no more; it is only told to the user.
  return names.length > 0 ? names : subject.split('\n').filter((part) => part.startsWith('CN='));
}

/** The text in base64, as Secrets and webhooks carry certificates. */
export function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function digestOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function dayOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
