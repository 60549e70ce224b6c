import type { Finding, ReadResult } from '../../core';
import { didYouMean } from '../../core/did-you-mean';
import type { LiveCluster } from '../../doctor';
import { CACHE_HELP, scriptStore } from '../../files/cache/script-store';
import { packageVersion } from '../../files/package';
import { toAbsolute, writeAtomically } from '../../files/paths';
import type { ReportContext } from '../../report';
import { UserError } from '../../settings/user-error';
import { readVersions } from '../../settings/versions';
import { readDumps } from '../cluster/dumps';
import { type Live, readLive } from '../cluster/live';
import { CLUSTER_HELP } from '../cluster/options';
import { servedVersions } from '../cluster/served';
import type { Command } from '../command';
import { type DoctorOptions, readDoctorOptions } from '../doctor/options';
import { type Io, styleOf, write } from '../io';
import { flagOfVersion, VERSION_HELP } from '../version-options';

const command: Command = {
  name: 'doctor',
  usage: `
usage: rollout-constructs doctor [options]
       rollout-constructs doctor dump.yaml [options]

Looks at a cluster and only ever reads: is the controller there, does it find its script, does the script run on the
objects of the cluster, what has it written and is that right, where do requests go now, which permission is missing. What
is declared is checked as "check" does it. Without dumps the cluster of the kubeconfig is asked, or the one of the pod it
runs in; that takes the package @kubernetes/client-node.

Options
  -n, --namespace <name>   read only this namespace and those of the controllers; may be given several times
  --rollout <ns/name>      only this Rollout, TrafficRouting or VirtualEnvironment
${CLUSTER_HELP}
  --controller-namespace <name>  where the controller of Kruise Rollouts runs (default where it is found)
  --format <format>        pretty, json or markdown (default pretty)
  --output <file>          write the report there, and a readable one to stdout
  --dump-command           print the shell script that writes a dump, and do nothing else
${VERSION_HELP}
${CACHE_HELP}
  --no-color               no colours; so does the variable NO_COLOR

Versions that no flag states are read from the images in the cluster.

Exit codes: 0 no problems; 1 problems, or errors in what is declared; 2 wrong use, or something that could not be read
for another reason than a missing permission.
`,
  async run(args, io) {
    const options = readDoctorOptions(command.name, args);
    const { checkupReporters, countItems } = await import('../../report/doctor');
    const { dumpCommand, examine } = await import('../../doctor');
    if (options.dumpCommand) {
      await write(io.stdout, dumpCommand());
      return 0;
    }
    const { cluster, release, read } = await readFrom(options, io);
    const { controllerNamespace, rollout } = options;
    if (rollout !== undefined) requireNamed(cluster, rollout);
    const store = scriptStore(io, options.noCache);
    const { checkup, stack } = examine(cluster, {
      ...(store && { scriptStore: store }),
      ...servedVersions(release),
      ...readVersions(options.versions, flagOfVersion),
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      ...(rollout === undefined ? {} : { only: rollout }),
    });
    const findings: readonly Finding[] = [...(read?.findings ?? []), ...stack.findings];
    const { wholeCatalogue } = await import('../../check');
    const { describeVersions } = await import('../../settings/cluster');
    const context: ReportContext = {
      ...styleOf(io, options.noColor),
      suppressed: stack.suppressed,
      ...(read === undefined ? {} : { sources: read.sources }),
      catalogue: wholeCatalogue(),
      version: packageVersion(),
      objects: cluster.world.manifests.length,
      checkedFor: describeVersions(stack.cluster),
      assumptions: stack.cluster.assumptions,
    };
    const { format, output } = options;
    if (output !== undefined) {
      const text = checkupReporters[format](checkup, findings, { ...context, color: false, ascii: false });
      writeAtomically(toAbsolute(io, output), text, output);
    }
    await write(io.stdout, checkupReporters[output === undefined ? format : 'pretty'](checkup, findings, context));
    const isBad = countItems(checkup).problem > 0 || findings.some(({ severity }) => severity === 'error');
    const isUnread = cluster.unreadKinds.some(({ permission }) => permission === undefined);
    return isUnread ? 2 : isBad ? 1 : 0;
  },
};

export default command;

interface From extends Live {
  /** What was read of dumps. */
  readonly read?: ReadResult;
}

function readFrom(options: DoctorOptions, io: Io): Promise<From> {
  return options.inputs.length > 0 ? fromDumps(options, io) : readLive(options, io);
}

async function fromDumps({ inputs, namespaces }: DoctorOptions, io: Io): Promise<From> {
  const read = await readDumps(inputs, io);
  const { CONTROLLER_KINDS, LiveCluster } = await import('../../doctor');
  const manifests = read.manifests.filter(
    ({ namespace, groupKind }) =>
      namespaces.length === 0 ||
      namespace === undefined ||
      namespaces.includes(namespace) ||
      CONTROLLER_KINDS.has(groupKind),
  );
  const only = namespaces.length === 0 ? {} : { namespaces };
  return { cluster: new LiveCluster({ from: inputs.join(', '), manifests, ...only }), read };
}

const NAMED_KINDS = [
  'Rollout.rollouts.kruise.io',
  'Rollout.argoproj.io',
  'TrafficRouting.rollouts.kruise.io',
  'VirtualEnvironment.env.alibaba.com',
];

/** Refuses a name that nothing has, and says why it may be so: another cluster, a missing right, a slip. */
function requireNamed(cluster: LiveCluster, { namespace, name }: { namespace: string; name: string }): void {
  const { world, from } = cluster;
  const asked = `${namespace}/${name}`;
  if (NAMED_KINDS.some((kind) => world.find(kind, name, namespace) !== undefined)) return;
  const served = NAMED_KINDS.filter((kind) => cluster.serves(kind) !== false);
  if (served.length === 0) {
    throw new UserError(
      `there is no Rollout "${asked}": ${from} has neither Kruise Rollouts nor Argo Rollouts nor KtEnv`,
      'is it the right cluster? --context names another one',
    );
  }
  const unread = cluster.isLive ? served.map((kind) => cluster.unread(kind, namespace)).find(Boolean) : undefined;
  if (unread !== undefined) {
    throw new UserError(
      `whether there is a Rollout "${asked}" is not known: ${unread.groupKind} could not be read: ${unread.why}`,
      unread.permission === undefined ? 'try again' : `it takes the permission to ${unread.permission}`,
    );
  }
  const all = NAMED_KINDS.flatMap((kind) => world.list(kind)).map((one) => `${world.namespaceOf(one)}/${one.name}`);
  const meant = didYouMean(asked, all);
  throw new UserError(
    `there is no Rollout "${asked}"${meant ? `; did you mean "${meant}"?` : ''}`,
    all.length === 0 ? 'there is none at all that may be read' : `there is: ${all.slice(0, 20).join(', ')}`,
  );
}
