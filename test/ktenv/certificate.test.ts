/** Certificates and keys as this library reads them, compared with what Node reads. */
import { createHash, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificatesIn, isForHost, namesIn, publicKeyDigests } from '../../src/ktenv/install/certificate';
import { selfSigned } from '../cli/certificate';

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const certificates = [
  selfSigned(['localhost'], ['127.0.0.1']),
  selfSigned(['kt-webhook.kt-system.svc', 'x.example'], []),
  selfSigned(
    Array.from({ length: 40 }, (_, index) => `name-${index}.shop.example`),
    ['::1'],
  ),
].map(({ certificate }) => certificate);

describe('a certificate', () => {
  it.each(certificates.map((text) => [text]))('is read as Node reads it', (text) => {
    const expected = new X509Certificate(text);
    const [read, ...more] = certificatesIn(`a\n${text}\nb`);
    expect(more).toEqual([]);
    expect(read).toMatchObject({
      issuer: expected.issuer,
      subject: expected.subject,
      validFrom: new Date(expected.validFrom),
      validTo: new Date(expected.validTo),
      keyDigest: digest(expected.publicKey.export({ type: 'spki', format: 'der' })),
    });
    expect(namesIn(read!).map((name) => `DNS:${name}`)).toEqual(
      expected.subjectAltName!.split(', ').filter((name) => name.startsWith('DNS:')),
    );
  });

  it.each(['a.x.example', 'A.x.EXAMPLE', 'x.example', 'a.b.x.example', 'y.example', 'localhost'])(
    'is for the host %s if Node says so',
    (host) => {
      const { certificate } = selfSigned(['*.x.example', 'y.example'], []);
      const expected = new X509Certificate(certificate).checkHost(host, { subject: 'never' }) !== undefined;
      expect(isForHost(certificatesIn(certificate)[0]!, host)).toBe(expected);
    },
  );

  it('that is damaged is left out, or read: it never stops a check', () => {
    const bytes = Buffer.from(certificates[0]!.replace(/-----[^-]+-----/g, ''), 'base64');
    const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (changes, length) => {
        const damaged = Buffer.from(bytes);
        for (const [place, byte] of changes) damaged[place] = byte;
        for (const part of [damaged, damaged.subarray(0, length)]) {
          for (const label of ['CERTIFICATE', 'PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY']) {
            const block = `-----BEGIN ${label}-----\n${part.toString('base64')}\n-----END ${label}-----\n`;
            expect(certificatesIn(block).length + publicKeyDigests(block).length).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });
});

describe('a private key', () => {
  it.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'pkcs1'],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'sec1'],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'sec1'],
  ] as const)('of %s has the public key that Node derives', (_, key, own) => {
    const expected = digest(createPublicKey(key).export({ type: 'spki', format: 'der' }));
    for (const type of ['pkcs8', own]) {
      expect(publicKeyDigests(String(key.export({ type, format: 'pem' } as never)))).toEqual([expected]);
    }
  });
});
