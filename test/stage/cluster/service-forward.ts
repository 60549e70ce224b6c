/** Stands in for kube-proxy where the API server calls a webhook: forwards a Service's address to a port of this host. */
import { connect, createServer } from 'node:net';

/** Listens on the address of a Service and forwards each connection. */
export async function forwardService(address: string, port: number, target: number): Promise<{ stop(): void }> {
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return { stop: () => server.close() };
}
