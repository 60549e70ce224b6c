// biome-ignore-all lint/suspicious/noExplicitAny: the messages of Pulumi's protocol come without types
/** Talks to a policy pack as Pulumi's engine does: starts it as a process, and asks it over gRPC. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const fromPulumi = createRequire(require.resolve('@pulumi/pulumi'));
const grpc = fromPulumi('@grpc/grpc-js');
const { Struct } = fromPulumi('google-protobuf/google/protobuf/struct_pb');
const { Empty } = fromPulumi('google-protobuf/google/protobuf/empty_pb');
const proto: any = fromPulumi('@pulumi/pulumi/proto/analyzer_pb');
const service: any = fromPulumi('@pulumi/pulumi/proto/analyzer_grpc_pb');

/** A resource as the engine knows it. */
export interface Resource {
  readonly type: string;
  readonly name: string;
  /** What the program gives, or the state. */
  readonly props: object;
  readonly provider?: { readonly name: string; readonly props: object };
}

export type Level = 'advisory' | 'mandatory' | 'disabled' | 'remediate';

/** What a pack says is wrong. */
export interface Violation {
  readonly policy: string;
  readonly level: Level;
  readonly urn: string;
  readonly message: string;
}

/** A policy of a pack, as the pack describes it. */
export interface PolicyInfo {
  readonly name: string;
  readonly description: string;
  readonly level: Level;
  readonly kind: 'resource' | 'stack' | 'unknown';
  readonly fix: string;
}

export type Config = Readonly<
  Record<string, { readonly level?: Level; readonly properties?: Readonly<Record<string, unknown>> }>
>;

/** A pack that runs. */
export interface RunningPack {
  readonly name: string;
  readonly version: string;
  readonly policies: readonly PolicyInfo[];
  configure(config: Config): Promise<void>;
  analyze(resource: Resource): Promise<Violation[]>;
  analyzeStack(resources: readonly Resource[]): Promise<Violation[]>;
  stop(): Promise<void>;
}

const LEVELS: readonly Level[] = ['advisory', 'mandatory', 'disabled', 'remediate'];
const KINDS = ['unknown', 'resource', 'stack'] as const;

/** What stands for a text that a preview does not know. */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

export function urnOf({ type, name }: Resource): string {
  return `urn:pulumi:dev::shop::${type}::${name}`;
}

/** Starts a pack in its folder. */
export async function startPack(folder: string, args: readonly string[]): Promise<RunningPack> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const port = await portOf(child);
  const client = new service.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const ask = (method: string, request: unknown): Promise<any> =>
    new Promise((resolve, reject) => {
      client[method](request, (error: Error | null, response: unknown) => (error ? reject(error) : resolve(response)));
    });
  const info = await ask('getAnalyzerInfo', new Empty());
  return {
    name: info.getName(),
    version: info.getVersion(),
    policies: info.getPoliciesList().map((each: any) => ({
      name: each.getName(),
      description: each.getDescription(),
      level: LEVELS[each.getEnforcementlevel()],
      kind: KINDS[each.getPolicyType()],
      fix: each.getRemediationSteps(),
    })),
    configure: async (config) => {
      await ask('configure', configRequest(config));
    },
    analyze: async (resource) => violations(await ask('analyze', message(new proto.AnalyzeRequest(), resource))),
    analyzeStack: async (resources) => {
      const request = new proto.AnalyzeStackRequest();
      request.setResourcesList(resources.map((each) => message(new proto.AnalyzerResource(), each)));
      return violations(await ask('analyzeStack', request));
    },
    stop: async () => {
      client.close();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** The pack writes its port and nothing else. */
async function portOf(child: ChildProcess): Promise<string> {
  const errors: string[] = [];
  child.stderr!.on('data', (data) => errors.push(String(data)));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the pack ended: ${errors.join('')}`);
  });
  ended.catch(() => undefined);
  const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended]);
  if (!/^\d+$/.test(line)) throw new Error(`the pack wrote "${line}" instead of its port`);
  return line;
}

function message(request: any, resource: Resource): any {
  request.setType(resource.type);
  request.setName(resource.name);
  request.setUrn(urnOf(resource));
  request.setProperties(Struct.fromJavaScript(resource.props));
  request.setOptions(new proto.AnalyzerResourceOptions());
  if (resource.provider) {
    const provider = new proto.AnalyzerProviderResource();
    const type = 'pulumi:providers:kubernetes';
    provider.setType(type);
    provider.setName(resource.provider.name);
    provider.setUrn(urnOf({ type, name: resource.provider.name, props: {} }));
    provider.setProperties(Struct.fromJavaScript(resource.provider.props));
    request.setProvider(provider);
  }
  return request;
}

function configRequest(config: Config): unknown {
  const request = new proto.ConfigureAnalyzerRequest();
  for (const [name, { level = 'mandatory', properties = {} }] of Object.entries(config)) {
    const one = new proto.PolicyConfig();
    one.setEnforcementlevel(LEVELS.indexOf(level));
    one.setProperties(Struct.fromJavaScript(properties));
    request.getPolicyconfigMap().set(name, one);
  }
  return request;
}

function violations(response: any): Violation[] {
  return response.getDiagnosticsList().map((each: any) => ({
    policy: each.getPolicyname(),
    level: LEVELS[each.getEnforcementlevel()],
    urn: each.getUrn(),
    message: each.getMessage(),
  }));
}
