/** One authority, a certificate for the API server, one for the administrator, and the key of ServiceAccount tokens. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of the certificates, all in one folder. */
export interface Certificates {
  readonly authority: string;
  readonly server: { readonly certificate: string; readonly key: string };
  readonly admin: { readonly certificate: string; readonly key: string };
  /** Signs tokens of ServiceAccounts. */
  readonly tokenKey: string;
}

const SERVER_NAMES = 'IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc';

/** Makes all certificates anew. */
export function makeCertificates(folder: string): Certificates {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'];
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=stage');
  const signed = (name: string, subject: string, usage: string, names?: string) => {
    writeFileSync(at(`${name}.ext`), `extendedKeyUsage=${usage}\n${names ? `subjectAltName=${names}\n` : ''}`);
    openssl('req', ...ec.slice(0, -2), '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '3650',
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.crt`,
    );
    return { certificate: at(`${name}.crt`), key: at(`${name}.key`) };
  };
  openssl('genrsa', '-out', 'tokens.key', '2048');
  return {
    authority: at('ca.crt'),
    server: signed('server', '/CN=kube-apiserver', 'serverAuth', SERVER_NAMES),
    admin: signed('admin', '/CN=admin/O=system:masters', 'clientAuth'),
    tokenKey: at('tokens.key'),
  };
}
