import { toAbsolute } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { type Command, parseOptions } from '../command';
import { given, OUTPUT_HELP, OUTPUT_OPTION, writeDocument, yamlOf } from '../export/output';
import { styleOf, write } from '../io';
import { KRUISE_VERSION_HELP, KRUISE_VERSION_OPTION, kruiseVersionOf } from '../version-options';

const command: Command = {
  name: 'export routing',
  usage: `
usage: rollout-constructs export routing [<script>...] [options]

Prints the ConfigMap kruise-rollout-configuration, from which Kruise Rollouts reads its routing scripts, as YAML: what a
LuaRoutingConfigMap writes. Every script is checked and runs its testdata first; errors are reported, and nothing is printed.

  <script>                 a script of this library: aws-alb, HTTPProxy.projectcontour.io; docs/scripts.md lists them

Options
  --library                all scripts of this library
  --folder <folder>        the scripts of a folder, <group>/<Kind>/trafficRouting.lua and trafficrouting_ingress/<class>.lua;
                           may be given several times
  -n, --namespace <name>   the namespace of the controller (default kruise-rollout)
${KRUISE_VERSION_HELP}
${OUTPUT_HELP}

Examples
  rollout-constructs export routing aws-alb | kubectl apply --server-side -f -
  rollout-constructs export routing --folder ./lua_configuration --output routing.yaml

Exit codes: 0 printed; 1 there are errors in the scripts; 2 wrong use, or no such script.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        library: { type: 'boolean', default: false },
        folder: { type: 'string', multiple: true, default: [] },
        namespace: { type: 'string', short: 'n' },
        ...KRUISE_VERSION_OPTION,
        ...OUTPUT_OPTION,
      },
      { max: Number.POSITIVE_INFINITY, what: 'scripts' },
    );
    const version = kruiseVersionOf(values['kruise-version']);
    if (positionals.length === 0 && values.folder.length === 0 && !values.library) {
      throw new UserError('export routing needs scripts', 'name some of the library, or give --library or --folder');
    }
    if (positionals.length > 0 && values.library) {
      throw new UserError(`--library has "${positionals[0]}" already`, 'name scripts, or give --library');
    }
    const { LuaScripts } = await import('../../files/scripts/lua-scripts');
    const { routingConfigMap } = await import('../../kruise/scripts/config-map');
    const { proveScripts } = await import('../../files/scripts/proof');
    const sets = given(() => [
      ...(values.library ? [LuaScripts.library()] : []),
      ...(positionals.length > 0 ? [LuaScripts.fromLibrary(...(positionals as never[]))] : []),
      ...values.folder.map((folder) => LuaScripts.fromFolder(toAbsolute(io, folder))),
    ]);
    const scripts = sets.flatMap((set) => set.scripts);
    const { findings } = proveScripts(scripts, { version, namespace: values.namespace });
    if (findings.length > 0) {
      const { reporters } = await import('../../report');
      const sources = new Map(scripts.map(({ file, source }) => [file, source]));
      await write(io.stderr, reporters.pretty(findings, { ...styleOf(io), sources }));
    }
    if (findings.some(({ severity }) => severity === 'error')) return 1;
    await writeDocument(await yamlOf([routingConfigMap(scripts, values.namespace)]), values.output, io);
    return 0;
  },
};

export default command;
