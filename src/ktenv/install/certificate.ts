import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

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

/** Whether a text contains one of the certificates whose private key upstream publishes. */
export function isPublished(text: string): boolean {
  return certificatesIn(text).some(
    ({ publicKey, issuer, validFrom, validTo }) =>
      PUBLISHED_KEYS.has(digestOf(publicKey)) ||
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
  return blocks.flatMap((block) => {
    try {
      return digestOf(createPublicKey(block));
    } catch {
      return [];
    }
  });
}

/** The names that a certificate is valid for. */
export function namesIn({ subjectAltName, subject }: X509Certificate): string[] {
  const names = [...(subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name!);
  // The API server no longer accepts the common name, so it is only for the message.
  return names.length > 0 ? names : subject.split('\n').filter((part) => part.startsWith('CN='));
}

/** Decodes base64, in which Secrets and webhooks have certificates. */
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
