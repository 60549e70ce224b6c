import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { toAbsolute, writeAtomically } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { readDumps } from '../cluster/dumps';
import { readLive } from '../cluster/live';
import { CLUSTER_HELP, CLUSTER_OPTIONS, clusterAccessOf, refuseCluster } from '../cluster/options';
import { type Command, parseOptions } from '../command';
import { worldOf } from '../inputs';
import { write } from '../io';

const FACTS = 'facts.yaml';
const SCRIPTS = 'routing-scripts.yaml';

const command: Command = {
  name: 'cluster pull',
  usage: `
usage: rollout-constructs cluster pull [options]
       rollout-constructs cluster pull dump.yaml [options]

Writes what applications have to know of a cluster, so that their repositories are checked and rehearsed as the cluster
does it: the versions of its controllers, the routing scripts of Kruise Rollouts, and the names of the classes and Gateways
that routes refer to. It only ever reads, as "doctor" does. Commit the folder, and name it once, in the configuration file:

  cluster: cluster/${FACTS}

Options
  -n, --namespace <name>   list the Services of this namespace, too; may be given several times
  --output <folder>        where to write ${FACTS} and ${SCRIPTS} (default cluster)
${CLUSTER_HELP}

Exit codes: 0 written; 2 wrong use, or nothing that can be read.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        namespace: { type: 'string', short: 'n', multiple: true, default: [] },
        output: { type: 'string', default: 'cluster' },
        ...CLUSTER_OPTIONS,
      },
      { max: Number.POSITIVE_INFINITY, what: 'dumps: files, folders, or - for stdin' },
    );
    const access = clusterAccessOf(values);
    const [dump] = positionals;
    if (dump !== undefined) refuseCluster(access, `"${dump}" is a dump`);
    const { cluster, release } = dump === undefined ? await readLive({ ...access, namespaces: [] }, io) : {};
    const world = cluster?.world ?? (await worldOf(await readDumps(positionals, io), undefined));
    const { pulledFrom } = await import('../cluster/facts');
    const { stringify } = await import('yaml');
    const { facts, scripts } = pulledFrom(world, release, values.namespace, SCRIPTS);
    const folder = toAbsolute(io, values.output);
    makeFolder(folder, values.output);
    const put = (name: string, content: object) =>
      writeAtomically(
        join(folder, name),
        `# Written by rollout-constructs cluster pull.\n${stringify(content)}`,
        `${values.output}/${name}`,
      );
    if (scripts !== undefined) put(SCRIPTS, plain(scripts.object));
    put(FACTS, facts);
    const { external = [], scripts: _scripts, ...versions } = facts;
    const told = Object.entries(versions).map(([name, value]) => `  ${name}: ${value}`);
    await write(
      io.stdout,
      [
        `${values.output}/${FACTS}: what ${cluster?.from ?? positionals.join(', ')} has`,
        ...told,
        `  ${scripts === undefined ? 'no ConfigMap of routing scripts' : `routing scripts in ${values.output}/${SCRIPTS}`}`,
        `  ${external.length} objects that routes may name`,
        '',
      ].join('\n'),
    );
    return 0;
  },
};

export default command;

function makeFolder(folder: string, shown: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(
      `cannot make the folder "${shown}": ${(error as Error).message.split(',')[0]}`,
      'name another one with --output',
    );
  }
}

/** Without what only this cluster knows of the object. */
function plain({ metadata, ...rest }: Readonly<Record<string, unknown>>): object {
  const { name, namespace } = metadata as { readonly name: string; readonly namespace?: string };
  return { ...rest, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}
