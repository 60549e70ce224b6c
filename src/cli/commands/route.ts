import { findingTexts } from '../../core/finding';
import { UserError } from '../../settings/user-error';
import { readVersions } from '../../settings/versions';
import { type Command, oneOf, parseOptions } from '../command';
import { NAMESPACE_HELP, NAMESPACE_OPTION, readInputs, worldOf } from '../inputs';
import { write } from '../io';
import { flagOfVersion, VERSION_OPTIONS, versionTextsOf } from '../version-options';

const FORMATS = ['text', 'json'] as const;

const command: Command = {
  name: 'route',
  usage: `
usage: rollout-constructs route <files|folders|-> --request <request> [options]

Reads manifests (YAML or JSON, "-" is stdin) and asks the model of each load balancer in them. Every load balancer that
serves the host answers: the rule that takes the request, the rules that are tried before it and the condition that the
request does not meet, the Services with their shares, and the workloads whose pods these select.

Options
  --request <request>    a request as curl has it: 'GET https://shop.example.com/cart?v=2 -H "x-user: 1"'. A header or a
                         query parameter may occur several times. "from 10.0.0.1" at the end is the address of the
                         client. May be given several times
  --aws-load-balancer-controller-version <v>
                         the version of the AWS Load Balancer Controller (default: the newest known)
${NAMESPACE_HELP}
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
        ...NAMESPACE_OPTION,
        format: { type: 'string', default: 'text' },
      },
      { min: 1, max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
    );
    const format = oneOf('--format', values.format, FORMATS);
    if (values.request.length === 0) {
      throw new UserError(
        'route needs a request',
        `name one with --request 'GET https://shop.example.com/cart -H "x-user: 1"'`,
      );
    }
    const versions = readVersions(versionTextsOf(values), flagOfVersion);
    const { readProbe } = await import('../../settings/probe');
    const requests = values.request.map((text) => readProbe(text, '--request'));
    const read = await readInputs(positionals, io);
    const { routeRequest } = await import('../../rehearsal');
    const { routesText } = await import('../../report/routes');
    const { escapeJson } = await import('../../report/escape');
    const broken = read.findings.find(({ severity }) => severity === 'error');
    if (broken !== undefined) {
      const { message, fix } = findingTexts(broken);
      throw new UserError(`the manifests cannot be read: ${message}`, fix);
    }
    const world = await worldOf(read, values.namespace);
    const routes = requests.flatMap((request) => routeRequest(world, request, versions));
    if (routes.length === 0) {
      throw new UserError(
        'there is no load balancer in these manifests, so nothing answers',
        'name the files with the Ingresses, HTTPRoutes, VirtualServices, HTTPProxies or IngressRoutes',
      );
    }
    const text = format === 'text' ? routesText(routes) : `${escapeJson(JSON.stringify({ routes }, undefined, 2))}\n`;
    await write(io.stdout, text);
    return 0;
  },
};

export default command;
