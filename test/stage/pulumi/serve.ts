/** A plugin of Pulumi: a server on a free port, which it prints for the engine. */
import * as grpc from '@grpc/grpc-js';

/** Answers a call. What it throws is the error of the call. */
export type Answer<Request, Response> = (request: Request) => Response | Promise<Response>;

/** The answers by the name of their call; the engine is told that others are not there. */
// biome-ignore lint/suspicious/noExplicitAny: each call has its own messages.
export type Answers = Readonly<Record<string, Answer<any, unknown>>>;

/** Serves the calls of a service until the engine ends the process. */
export async function serve(service: grpc.ServiceDefinition, answers: Answers): Promise<void> {
  const { port } = await listen([[service, answers]]);
  process.stdout.write(`${port}\n`);
}

/** A server of services on a free port. */
export function listen(
  services: readonly (readonly [grpc.ServiceDefinition, Answers])[],
): Promise<{ readonly port: number; readonly server: grpc.Server }> {
  const server = new grpc.Server({ 'grpc.max_receive_message_length': LARGE, 'grpc.max_send_message_length': LARGE });
  for (const [service, answers] of services) {
    const handlers = Object.entries(answers).map(([name, answer]) => [name, handler(answer)]);
    server.addService(service, Object.fromEntries(handlers));
  }
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve({ port, server });
      else reject(error);
    });
  });
}

const LARGE = 400 * 1024 * 1024;

function handler(answer: Answer<unknown, unknown>): grpc.handleUnaryCall<unknown, unknown> {
  return async (call, callback) => {
    try {
      callback(null, await answer(call.request));
    } catch (error) {
      callback({ code: grpc.status.UNKNOWN, message: (error as Error).message });
    }
  };
}
