import { toAbsolute, writeAtomically } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { readVersions } from '../../settings/versions';
import { type Command, oneOf, parseOptions } from '../command';
import { NAMESPACE_HELP, NAMESPACE_OPTION, readInputs, worldOf } from '../inputs';
import { styleOf, write } from '../io';
import { flagOfVersion, VERSION_OPTIONS, versionTextsOf } from '../version-options';

const FORMATS = ['text', 'json', 'markdown', 'html'] as const;

const command: Command = {
  name: 'env preview',
  usage: `
usage: rollout-constructs env preview <files|folders|-> [options]

Reads manifests (YAML or JSON, "-" is stdin) and plays the operator of KtEnv and the mesh on them: a table of Services by
environments, each cell the workload that answers and why. What is wrong with the environments comes after it. Needs the
VirtualEnvironment, its Services and its Deployments and StatefulSets.

Options
  --environment <name>     another environment that requests will name; may be given several times. For one namespace
                           alone its VirtualEnvironment names them: the annotation rollout-constructs.io/environments
  --istio-version <v>      the version of Istio, 1.24 (default: the install in the files; without one, findings that depend on it
                           are warnings)
${NAMESPACE_HELP}
  --format <format>        text, json, markdown or html (default text); findings are part of each
  --output <file>          write the table there, and a readable one to stdout
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: 0 nothing is wrong; 1 there are errors; 2 wrong use, or no VirtualEnvironment.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        environment: { type: 'string', multiple: true, default: [] },
        'istio-version': VERSION_OPTIONS['istio-version'],
        ...NAMESPACE_OPTION,
        format: { type: 'string', default: 'text' },
        output: { type: 'string' },
        'no-color': { type: 'boolean', default: false },
      },
      { min: 1, max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
    );
    const format = oneOf('--format', values.format, FORMATS);
    const environments = values.environment;
    const versions = readVersions(versionTextsOf(values), flagOfVersion);
    const read = await readInputs(positionals, io);
    const { checkEnvironments } = await import('../../check');
    const { previewEnvironments } = await import('../../ktenv/preview');
    const { environmentPreviewText } = await import('../../report/environment-preview');
    const { environmentPreviewHtml } = await import('../../report/environment-preview-html');
    const { reporters } = await import('../../report');
    const { escapeJson } = await import('../../report/escape');
    const world = await worldOf(read, values.namespace);
    const previews = previewEnvironments(world, { environments });
    if (previews.length === 0) {
      throw new UserError(
        'there is no VirtualEnvironment in these manifests, so there is nothing to preview',
        'name the files of the whole namespace: its VirtualEnvironment, Services and workloads',
      );
    }
    const { findings, suppressed } = checkEnvironments(world, { ...versions, environments, earlier: read.findings });
    const text = () => {
      const table = environmentPreviewText(previews);
      const style = { ...styleOf(io, values['no-color']), sources: read.sources, suppressed };
      return findings.length === 0 ? table : `${table}\n${reporters.pretty(findings, style)}`;
    };
    const formats = {
      text,
      json: () => `${escapeJson(JSON.stringify({ environments: previews, findings }, undefined, 2))}\n`,
      // Each line of a table is indented, so that no value of a manifest can end the block.
      markdown: () =>
        `## Environments\n\n${environmentPreviewText(previews).replace(/^/gm, '    ').trimEnd()}\n\n${reporters.markdown(findings, { ...PLAIN, suppressed })}`,
      html: () => environmentPreviewHtml(previews, findings),
    };
    if (values.output !== undefined) writeAtomically(toAbsolute(io, values.output), formats[format]());
    await write(io.stdout, values.output === undefined ? formats[format]() : text());
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
};

export default command;

const PLAIN = { color: false, ascii: false };
