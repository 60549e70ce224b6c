/** A certificate that signs itself, made when a test needs one: Node reads certificates but does not make them. */
import { generateKeyPairSync, sign } from 'node:crypto';

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length =
    body.length < 0x80 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x18, Buffer.from(text));
const name = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));

/** Key and certificate of a server, for a name and for addresses. */
export function selfSigned(dnsNames: readonly string[], addresses: readonly string[]) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
  const names = sequence(
    ...dnsNames.map((one) => der(0x82, Buffer.from(one))),
    ...addresses.map((one) => der(0x87, Buffer.from(one.split('.').map(Number)))),
  );
  const authority = sequence(
    oid('551d13'),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name('test'),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name('test'),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, names)), authority)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
