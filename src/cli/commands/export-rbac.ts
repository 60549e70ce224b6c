import { didYouMean } from '../../core/did-you-mean';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../../kruise/api/names';
import { GatewayKind } from '../../kruise/gateway-kinds';
import { gatewayGrant, installGrants, missingGrants } from '../../kruise/gateway-rbac';
import { CONTROLLER_NAME } from '../../kruise/install/names';
import { UserError } from '../../settings/user-error';
import { type Command, parseOptions } from '../command';
import { given, OUTPUT_HELP, OUTPUT_OPTION, writeDocument, yamlOf } from '../export/output';
import { write } from '../io';
import { KRUISE_VERSION_HELP, KRUISE_VERSION_OPTION, kruiseVersionOf } from '../version-options';

const command: Command = {
  name: 'export rbac',
  usage: `
usage: rollout-constructs export rbac --gateway <kind> [--gateway <kind>...] [options]

Prints the ClusterRole and the ClusterRoleBinding with which Kruise Rollouts may change the objects of a gateway, as YAML:
what a GatewayRoleBinding writes. Kinds that the install of the release may change already are left out, and stderr names
them.

Options
  --gateway <kind>         a kind of customNetworkRefs: HTTPProxy.projectcontour.io. For a kind that this library does not
                           know, with its plural: Route.route.openshift.io=routes. May be given several times
  --name <name>            the name of both objects (default made of the kinds)
  -n, --namespace <name>   the namespace of the controller (default ${DEFAULT_CONTROLLER_NAMESPACE})
  --service-account <name> the ServiceAccount of the controller (default ${CONTROLLER_NAME})
  --bare                   the install grants nothing of its own: print every kind
${KRUISE_VERSION_HELP}
${OUTPUT_HELP}

Kinds that this library knows
${GatewayKind.ALL.map(({ groupKind }) => `  ${groupKind}`).join('\n')}

Exit codes: 0 printed, or nothing to grant; 2 wrong use, or an unknown kind.
`,
  async run(args, io) {
    const { values } = parseOptions(
      command.name,
      args,
      {
        gateway: { type: 'string', multiple: true, default: [] },
        name: { type: 'string' },
        namespace: { type: 'string', short: 'n', default: DEFAULT_CONTROLLER_NAMESPACE },
        'service-account': { type: 'string', default: CONTROLLER_NAME },
        bare: { type: 'boolean', default: false },
        ...KRUISE_VERSION_OPTION,
        ...OUTPUT_OPTION,
      },
      { max: 0, what: '' },
    );
    if (values.gateway.length === 0) {
      throw new UserError('export rbac needs a kind', 'name one with --gateway HTTPProxy.projectcontour.io');
    }
    const version = kruiseVersionOf(values['kruise-version']);
    const { kinds, alreadyGranted } = missingGrants(
      values.gateway.map(gatewayKindOf),
      values.bare ? [] : installGrants(version),
    );
    const grantee = { namespace: values.namespace, serviceAccountName: values['service-account'], version };
    if (alreadyGranted.length > 0) {
      await write(io.stderr, `the install of Kruise Rollouts ${version} grants ${alreadyGranted.join(', ')} already\n`);
    }
    if (kinds.length > 0) {
      await writeDocument(await yamlOf(gatewayGrant(kinds, grantee, values.name)), values.output, io);
    }
    return 0;
  },
};

export default command;

/** `HTTPProxy.projectcontour.io`, or `Route.route.openshift.io=routes`. */
function gatewayKindOf(text: string): GatewayKind {
  const [groupKind = '', plural] = text.split('=');
  const known = GatewayKind.find(groupKind);
  if (known !== undefined && (plural === undefined || plural === known.plural)) return known;
  const dot = groupKind.indexOf('.');
  if (plural !== undefined && dot > 0) {
    return given(() => GatewayKind.of({ kind: groupKind.slice(0, dot), group: groupKind.slice(dot + 1), plural }));
  }
  const names = GatewayKind.ALL.map((kind) => kind.groupKind);
  const meant = didYouMean(groupKind, names) ?? names.find((name) => name.split('.')[0] === groupKind);
  throw new UserError(
    `--gateway is "${text}", which is no kind that this library knows${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    'for another kind give its plural, too: Route.route.openshift.io=routes',
  );
}
