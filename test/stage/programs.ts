/** The programs of the stage, each with a folder under `programs/` that pins it: a Go module of its own, or Python packages. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program that the stage runs. */
export type Program = GoProgram | PythonProgram;

interface NamedProgram {
  /** `kruise@0.6.2`, as `npm run stage -- build` takes it. */
  readonly name: string;
  /** The folder of what pins it, below `programs/`. */
  readonly folder: string;
}

/** A program of packages for Python, with a requirements.txt in its folder. */
export interface PythonProgram extends NamedProgram {
  /** The command that the packages install. */
  readonly command: string;
}

/** A program that Go builds, with a go.mod in its folder. */
export interface GoProgram extends NamedProgram {
  /** The Go package that has its `main`. */
  readonly package: string;
  /** What the linker sets, for programs that report their version. */
  readonly ldflags?: string;
  /**
   * Modules of which one file is replaced, since it needs what is not to be had. What the stage asks does not touch it.
   * @default - none
   */
  readonly stubs?: readonly Stub[];
}

/** One file of a module that is replaced, or of which a line is. */
export interface Stub {
  readonly module: string;
  readonly version: string;
  /** Where go.mod replaces the module with a copy. */
  readonly copy: string;
  readonly file: string;
  /** The file in the program's folder that stands in for it, or the line and what stands in for it. */
  readonly with: string | readonly [line: string, instead: string];
}

/** The release of Kubernetes whose API server judges and whose controllers run. */
export const KUBERNETES_VERSION = '1.34.2';

/** The releases of Kruise Rollouts that the stage can play. A new release needs a folder in `programs/` and a name here. */
export const KRUISE_RELEASES = ['0.6.2', '0.6.1', '0.6.0', '0.5.5', '0.5.0', '0.4.0', '0.3.0'] as const;

/** The releases of Argo Rollouts that the stage can play. */
export const ARGO_RELEASES = ['1.10.2', '1.9.1', '1.8.5', '1.8.1', '1.7.2', '1.7.1'] as const;

/** The releases of Traefik that the stage can ask, with the module of DNS providers of each, of which a file is replaced. */
const TRAEFIK_RELEASES = {
  '3.7.13': ['github.com/go-acme/lego/v5', 'v5.4.1'],
  '3.6.12': ['github.com/go-acme/lego/v4', 'v4.33.0'],
} as const;

/** The release asks for a patch release of Go that not every machine has, and needs nothing of it. */
const ARGO_1_10_2_GO: Stub = {
  module: 'github.com/argoproj/argo-rollouts',
  version: 'v1.10.2',
  copy: 'argo-rollouts',
  file: 'go.mod',
  with: ['go 1.26.10', 'go 1.26.1'],
};

/** The release of OpenKruise whose workloads Kruise Rollouts releases. */
export const OPENKRUISE = 'openkruise@1.8.0';

/** The command line and engine of Pulumi. */
export const PULUMI = 'pulumi@3.248.0';

const KUBERNETES_LDFLAGS = `-X k8s.io/component-base/version.gitVersion=v${KUBERNETES_VERSION}`;

/** Every program, in the order in which `build` without arguments builds them. */
export const PROGRAMS: readonly Program[] = [
  { name: 'etcd', folder: 'etcd', package: 'go.etcd.io/etcd/server/v3' },
  { name: 'kwok', folder: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok' },
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => ({
    name,
    folder: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${name}`,
    ldflags: KUBERNETES_LDFLAGS,
  })),
  ...KRUISE_RELEASES.map((release) => ({
    name: `kruise@${release}`,
    folder: `kruise-${release}`,
    package: 'github.com/openkruise/rollouts',
  })),
  ...ARGO_RELEASES.map((release) => ({
    name: `argo@${release}`,
    folder: `argo-${release}`,
    package: 'github.com/argoproj/argo-rollouts/cmd/rollouts-controller',
    ...(release === '1.10.2' && { stubs: [ARGO_1_10_2_GO] }),
  })),
  ...Object.entries(TRAEFIK_RELEASES).map(([release, [module, version]]) => ({
    name: `traefik@${release}`,
    folder: `traefik-${release}`,
    package: 'github.com/traefik/traefik/v3/cmd/traefik',
    stubs: [
      {
        module,
        version,
        copy: 'lego',
        file: 'providers/dns/zz_gen_dns_providers.go',
        with: 'stubs/dns_providers.go',
      },
    ],
  })),
  { name: 'contour@1.33.8', folder: 'contour-1.33.8', package: 'github.com/projectcontour/contour/cmd/contour' },
  {
    name: 'envoy-gateway@1.9.1',
    folder: 'envoy-gateway-1.9.1',
    package: 'github.com/envoyproxy/gateway/cmd/envoy-gateway',
  },
  { name: 'istio', folder: 'istio', package: 'istio.io/istio/pilot/cmd/pilot-discovery' },
  { name: 'moto', folder: 'moto', command: 'moto_server' },
  {
    name: PULUMI,
    folder: PULUMI.replace('@', '-'),
    package: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi',
    ldflags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PULUMI.split('@')[1]}`,
  },
  { name: OPENKRUISE, folder: 'openkruise-1.8.0', package: 'github.com/openkruise/kruise' },
];

/** The folder of built programs, in the user's cache: they are never a part of the repository. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'rollout-constructs', 'stage');

/** The file of a built program. */
export function binaryOf(program: Program): string {
  const { name, folder } = program;
  return 'command' in program
    ? join(CACHE, folder, 'bin', program.command)
    : join(CACHE, folder, name.replace('@', '-'));
}

/** The program of a name. Throws an error that lists the names, where there is none. */
export function programNamed(name: string): Program {
  const program = PROGRAMS.find((each) => each.name === name);
  if (program !== undefined) return program;
  throw new Error(`there is no program "${name}"; there are ${PROGRAMS.map((each) => each.name).join(', ')}`);
}
