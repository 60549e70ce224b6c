import { readVersions } from '../../settings/versions';
import { servedVersions } from '../cluster/served';
import type { Command } from '../command';
import { styleOf, write } from '../io';
import { flagOfVersion, VERSION_HELP } from '../version-options';
import { readWatchOptions } from '../watch/options';

const command: Command = {
  name: 'watch',
  usage: `
usage: rollout-constructs watch [<namespace>/<name>] [options]

Follows a release of Kruise Rollouts or Argo Rollouts in a cluster, and only ever reads: where each request goes now, what
the rehearsal says comes next and when, who has to act, and where the cluster is not as rehearsed. Without a name, the only
Rollout that there is. On a terminal it draws a page in place; elsewhere it writes a line per moment.

Options
  -n, --namespace <name>   the namespace of the Rollout
  --until <goal>           end when the release is healthy (the new version is released, nothing is left of the release),
                           or waiting (a person has to act)
  --timeout <duration>     watch at most so long: 600, 10m, 1h30m (default: no limit)
  --patience <seconds>     with --until, how long a release may be stuck before it is given up (default 30)
  --format <format>        page, plain (lines), json (an object per line), or auto: page on a terminal, else plain (default auto)
  --html <file>            write the story as it was, as a page; kept up to date while watching
  --print-role             print the least rights that watching this Rollout needs, as RBAC objects, and do nothing else
  --kubeconfig <file>      the kubeconfig (default the variable KUBECONFIG, or ~/.kube/config)
  --context <name>         the context of the kubeconfig (default the current one)
  --answer-timeout <seconds>  how long the API server may take to begin an answer (default 30)
  --controller-namespace <name>  where the controller runs (default kruise-rollout or argo-rollouts)
${VERSION_HELP}
  --no-color               no colours; so does the variable NO_COLOR

It watches the API server and does not poll. A lost connection, an expired bookmark or a restart of the API server is shown,
and watching goes on by itself.

Exit codes: 0 the goal is reached, or without --until the watch ended; 1 the goal will not be reached: aborted, rolled back,
disabled, deleted, or stuck for longer than --patience; 2 wrong use, or the cluster cannot be read; 3 --timeout is over with
the goal not reached; 130 stopped by Ctrl-C before the goal was reached.
`,
  async run(args, io) {
    const options = readWatchOptions(command.name, args);
    const { connect, loadClient } = await import('../cluster/client');
    const { ClusterFeed } = await import('../watch/cluster-feed');
    const { Session } = await import('../watch/session');
    const { namespace, name, controllerNamespace } = options;
    const connection = await connect(await loadClient(), { ...options, isLong: true }, io);
    try {
      let heard = () => {};
      const where = {
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
        ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      };
      const feed = await ClusterFeed.open(connection, where, { onChange: () => heard(), onState: () => heard() });
      const { rollout, places, release } = feed;
      if (options.printRole) {
        const { rolesText } = await import('../watch/roles');
        await write(io.stdout, rolesText(places, rollout.name));
        return 0;
      }
      const follow = {
        ...servedVersions(release),
        ...readVersions(options.versions, flagOfVersion),
        ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
        namespace: rollout.namespace ?? 'default',
        name: rollout.name,
        groupKind: rollout.groupKind,
      };
      const session = new Session(feed, follow, options, styleOf(io, options.noColor), io);
      heard = () => session.changed();
      return await session.run();
    } finally {
      connection.close();
    }
  },
};

export default command;
