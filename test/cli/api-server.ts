/** A server that speaks as an API server does. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type Answer, apiAnswers, type ServedObjects } from './api-answers';
import { selfSigned } from './certificate';

/** What a test changes of the usual answers; `never` leaves the client waiting. */
export type Override = (path: string, url: URL) => Answer | 'never' | undefined;

export interface ApiServerOptions extends ServedObjects {
  readonly override?: Override;
}

const running: Server[] = [];
afterAll(() => {
  for (const server of running) {
    server.closeAllConnections();
    server.close();
  }
});

/** What the server shows, and what clients trust. */
export const serverCertificate = selfSigned(['localhost'], ['127.0.0.1']);
const { key, certificate } = serverCertificate;

/** Starts a server; all that is asked of it is kept. */
export async function apiServer({ override, ...served }: ApiServerOptions) {
  const answerTo = apiAnswers(served);
  const asked: { readonly method: string; readonly path: string; readonly authorization?: string }[] = [];
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const url = new URL(request.url!, 'https://localhost');
    const { method = '', headers } = request;
    asked.push({ method, path: request.url!, ...(headers.authorization && { authorization: headers.authorization }) });
    const answer = override?.(url.pathname, url) ?? answerTo(url);
    if (answer === 'never') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(server);
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, kubeconfig: kubeconfigFor(url), connections: () => connections };
}

/** @param authority that the client trusts; empty for none of its own */
export function kubeconfigFor(url: string, authority = certificate): string {
  const trust = authority === '' ? '' : `certificate-authority-data: ${Buffer.from(authority).toString('base64')}`;
  return `apiVersion: v1
kind: Config
current-context: test
clusters:
  - name: test
    cluster:
      server: ${url}
      ${trust}
users:
  - name: jane
    user: { token: secret-token }
contexts:
  - name: test
    context: { cluster: test, user: jane }
  - name: other
    context: { cluster: nowhere, user: jane }
`;
}
