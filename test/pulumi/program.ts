// biome-ignore-all lint/suspicious/noExplicitAny: what Pulumi keeps to itself has no types
/** Runs Pulumi programs without an engine, and records their resources. */
import type * as pulumi from '@pulumi/pulumi';

/** A resource as the engine would have been asked for it. */
export interface Made {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly inputs: Record<string, any>;
  readonly provider: string | undefined;
  /** The options as the program gave them. */
  readonly options: pulumi.CustomResourceOptions & { readonly dependsOn?: readonly pulumi.Resource[] };
}

/** One entry of the log. */
export interface Logged {
  readonly severity: 'debug' | 'info' | 'warning' | 'error';
  readonly message: string;
  readonly urn: string;
}

/** What became of a program. */
export interface Ran<Result> {
  readonly result: Result;
  readonly resources: readonly Made[];
  readonly log: readonly Logged[];
  readonly findings: readonly { readonly rule: string; readonly message: string; readonly severity: string }[];
  /** The resource of this type, `kubernetes:apps/v1:Deployment`. */
  of(type: string): Made;
}

export interface RunOptions {
  /** @default false */
  readonly preview?: boolean;
  /** What providers add to the state of a resource. */
  readonly state?: (type: string, inputs: Record<string, any>) => Record<string, unknown>;
  /**
   * Whether resources come back without anything, as the mocks of many tests have it.
   * @default false
   */
  readonly bare?: boolean;
}

const SEVERITIES = ['debug', 'info', 'warning', 'error'] as const;

/** The parameters of a program: the libraries, loaded after the runtime, and the recorder of options. */
export interface Program {
  readonly pulumi: typeof pulumi;
  readonly library: typeof import('../../src/pulumi');
  /** To be given to every component, so that the options of its children are recorded. */
  readonly recorded: { readonly transformations: pulumi.ResourceTransformation[] };
  /** A value that is not known in this run. */
  unknown(): pulumi.Output<any>;
}

/** Runs a program to its end, in a runtime of its own. */
export async function run<Result>(
  program: (given: Program) => Result | Promise<Result>,
  options: RunOptions = {},
): Promise<Ran<Result>> {
  const { LocalStore } = (await import('@pulumi/pulumi/runtime/state')) as any;
  return (globalThis as any).asyncLocalStorage.run(new LocalStore(), () => runInStore(program, options));
}

async function runInStore<Result>(
  program: (given: Program) => Result | Promise<Result>,
  { preview = false, state = () => ({}), bare = false }: RunOptions,
): Promise<Ran<Result>> {
  const api = await import('@pulumi/pulumi');
  const { getStore } = (await import('@pulumi/pulumi/runtime/state')) as any;
  const { unknown } = (await import('@pulumi/pulumi/output')) as unknown as { unknown: unknown };
  const resources: { type: string; name: string; inputs: any; provider: string | undefined }[] = [];
  await api.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, provider }) => {
        resources.push({ type, name, inputs, provider });
        return { id: `${name}-id`, state: bare ? {} : { ...inputs, ...state(type, inputs) } };
      },
      call: ({ inputs }) => inputs,
    },
    'project',
    'stack',
    preview,
  );
  const log: Logged[] = [];
  const { settings } = getStore();
  settings.engine = {
    setRootResource: (_: any, done: (error: null, reply: object) => void) => done(null, {}),
    log: (request: any, done: () => void) => {
      log.push({ severity: SEVERITIES[request.getSeverity()]!, message: request.getMessage(), urn: request.getUrn() });
      done();
    },
  };
  const options = new Map<string, { options: any; resource: pulumi.Resource }>();
  const recorded = {
    transformations: [
      ({ type, name, opts, props, resource }: pulumi.ResourceTransformationArgs) => {
        options.set(`${type} ${name}`, { options: { ...opts }, resource });
        return { props, opts };
      },
    ],
  };
  const library = await import('../../src/pulumi');
  const unknownOutput = () => api.output(unknown as any);
  const result = await program({ pulumi: api, library, recorded, unknown: unknownOutput });
  const findings = await library.stackFindings();
  await (api.runtime as any).waitForRPCs();
  const made = await Promise.all(
    resources.map(async ({ type, name, inputs, provider }) => {
      const found = options.get(`${type} ${name}`);
      const urn: string = found === undefined ? '' : await (found.resource.urn as any).promise();
      return { type, name, urn, inputs, provider, options: found?.options ?? {} };
    }),
  );
  return {
    result,
    resources: made,
    log,
    findings,
    of: (type) => {
      const found = made.filter((resource) => resource.type === type);
      if (found.length !== 1) {
        throw new Error(`${found.length} resources of ${type}; there are ${made.map((one) => one.type).join(', ')}`);
      }
      return found[0]!;
    },
  };
}

/** The last part of URNs, sorted. */
export async function namesOf(resources: readonly pulumi.Resource[] | undefined): Promise<string[]> {
  const urns = await Promise.all(
    (resources ?? []).map((resource) => (resource.urn as any).promise() as Promise<string>),
  );
  return urns.map((urn) => urn.split('::').at(-1)!).sort();
}
