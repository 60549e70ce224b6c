/** moto, which stands in for AWS: it keeps load balancers, rules, weights, tags and targets in memory. No request is routed. */
import { type Running, ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';

export const REGION = 'eu-west-1';

const PORT = 5000;

/** Where AWS answers. */
export const ENDPOINT = `http://127.0.0.1:${PORT}`;

/** The variables with which the AWS SDK of a controller asks the stand-in. Its keys open nothing. */
export const AWS_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ENDPOINT_URL: ENDPOINT,
  AWS_ACCESS_KEY_ID: 'stage',
  AWS_SECRET_ACCESS_KEY: 'stage',
};

/** Starts moto, and waits until it answers. */
export async function startMoto(folder: string): Promise<Running> {
  const process = start('moto', binaryOf(programNamed('moto')), ['-H', '127.0.0.1', '-p', String(PORT)], { folder });
  await ready(process, async () => (await fetch(`${ENDPOINT}/moto-api/`)).ok);
  return process;
}
