import type { World } from '../../core';
import { findingTexts } from '../../core/finding';
import { UserError } from '../../settings/user-error';
import { readVersions, routerVersionsOf } from '../../settings/versions';
import { readLive } from '../cluster/live';
import { CLUSTER_HELP, CLUSTER_OPTIONS, type ClusterAccess, clusterAccessOf, refuseCluster } from '../cluster/options';
import { type Command, oneOf, parseOptions } from '../command';
import { NAMESPACE_OPTION, readInputs, worldOf } from '../inputs';
import { type Io, write } from '../io';
import { flagOfVersion, VERSION_OPTIONS, versionTextsOf } from '../version-options';

const FORMATS = ['text', 'json'] as const;

const command: Command = {
  name: 'route',
  usage: `
usage: rollout-constructs route <files|folders|-> --request <request> [options]
       rollout-constructs route --cluster --request <request> [options]

Reads manifests (YAML or JSON, "-" is stdin), or the objects of a cluster, and asks the model of each load balancer in them. Every load balancer that
serves the host answers: the rule that takes the request, the rules that are tried before it and the condition that the
request does not meet, the Services with their shares, and the workloads whose pods these select.

Options
  --request <request>    a request as curl has it: 'GET https://shop.example.com/cart?v=2 -H "x-user: 1"'. A header or a
                         query parameter may occur several times. "from 10.0.0.1" at the end is the address of the
                         client. May be given several times
  --aws-load-balancer-controller-version <v>, --ingress-nginx-version <v>, --traefik-version <v>,
  --istio-version <v>
                         the version of a controller (default: that of its Deployment or DaemonSet, or the newest known)
  --cluster                read the cluster of the kubeconfig as "doctor" does: it only ever reads
${CLUSTER_HELP}
  -n, --namespace <name>   the namespace of objects that name none, as for kubectl apply (default default); of a cluster,
                           the only namespace to read (default all)
  --format <format>      text or json (default text)

Exit codes: 0 every request has its answer, also a 404; 2 wrong use, or manifests that cannot be read.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        request: { type: 'string', multiple: true, default: [] },
        'aws-load-balancer-controller-version': VERSION_OPTIONS['aws-load-balancer-controller-version'],
        'ingress-nginx-version': VERSION_OPTIONS['ingress-nginx-version'],
        'traefik-version': VERSION_OPTIONS['traefik-version'],
        'istio-version': VERSION_OPTIONS['istio-version'],
        cluster: { type: 'boolean', default: false },
        ...CLUSTER_OPTIONS,
        ...NAMESPACE_OPTION,
        format: { type: 'string', default: 'text' },
      },
      { max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
    );
    const format = oneOf('--format', values.format, FORMATS);
    if (values.request.length === 0) {
      throw new UserError(
        'route needs a request',
        `name one with --request 'GET https://shop.example.com/cart -H "x-user: 1"'`,
      );
    }
    const stated = readVersions(versionTextsOf(values), flagOfVersion);
    const { readProbe } = await import('../../settings/probe');
    const requests = values.request.map((text) => readProbe(text, '--request'));
    const world = await readWorld(positionals, { ...clusterAccessOf(values), ...values }, io);
    const { clusterOf } = await import('../../settings/cluster');
    const versions = routerVersionsOf(clusterOf(world, stated));
    const { routeRequest } = await import('../../rehearsal');
    const { routesText } = await import('../../report/routes');
    const { escapeJson } = await import('../../report/escape');
    const routes = requests.flatMap((request) => routeRequest(world, request, versions));
    if (routes.length === 0) {
      throw new UserError(
        `there is no load balancer ${values.cluster ? 'in what may be read of the cluster' : 'in these manifests'}, so nothing answers`,
        `${values.cluster ? 'ask for the right to read' : 'name the files with'} the Ingresses, HTTPRoutes, VirtualServices, HTTPProxies or IngressRoutes`,
      );
    }
    const text = format === 'text' ? routesText(routes) : `${escapeJson(JSON.stringify({ routes }, undefined, 2))}\n`;
    await write(io.stdout, text);
    return 0;
  },
};

export default command;

interface Source extends ClusterAccess {
  readonly cluster: boolean;
  readonly namespace?: string | undefined;
}

/** The manifests of files, or the objects of a cluster. */
async function readWorld(files: readonly string[], source: Source, io: Io): Promise<World> {
  const { cluster: isLive, namespace } = source;
  if (isLive && files.length > 0) {
    throw new UserError(`--cluster reads a cluster, and "${files[0]}" is a file`, 'name one of the two');
  }
  if (isLive) {
    const { cluster } = await readLive({ ...source, namespaces: namespace === undefined ? [] : [namespace] }, io);
    return cluster.world;
  }
  if (files.length === 0) {
    throw new UserError('route needs manifests', 'name files or folders, - for stdin, or --cluster for a live cluster');
  }
  refuseCluster(source, `"${files[0]}" is a file`);
  const read = await readInputs(files, io);
  const broken = read.findings.find(({ severity }) => severity === 'error');
  if (broken !== undefined) {
    const { message, fix } = findingTexts(broken);
    throw new UserError(`the manifests cannot be read: ${message}`, fix);
  }
  return worldOf(read, namespace);
}
