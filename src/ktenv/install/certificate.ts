import { X509Certificate } from 'node:crypto';

/** Upstream's authority, by its content. */
const AUTHORITY = '66:77:02:13:DB:31:D6:DB:B0:DA:D4:D0:FE:72:56:BF:DA:72:D4:61:33:A4:2C:2D:37:48:4D:60:A7:70:24:E6';

/** Upstream's authority by its name, and the days from and to which what it issued counts. */
const ISSUER = 'CN=Virtual Environment Admission Controller Webhook CA';
const FROM = '2021-09-17';
const TO = '2031-09-15';

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
    ({ fingerprint256, issuer, validFrom, validTo }) =>
      fingerprint256 === AUTHORITY || (issuer === ISSUER && dayOf(validFrom) === FROM && dayOf(validTo) === TO),
  );
}

/** The text in base64, as Secrets and webhooks carry certificates. */
export function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function dayOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
