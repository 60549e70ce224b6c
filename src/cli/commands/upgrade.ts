import type { Finding, ReadResult, World } from '../../core';
import { findingTexts } from '../../core/finding';
import type { UpgradeReport } from '../../core/upgrade-result';
import { packageVersion } from '../../files/package';
import type { ReportContext } from '../../report';
import { upgradeReporters } from '../../report/upgrade';
import { type Settings, weighed } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import type { NamedRelease, UpgradeVersions } from '../../upgrade';
import { UNREAD } from '../check/exit-code';
import { inputsOf } from '../check/options';
import { type Command, oneOf, parseOptions } from '../command';
import { NAMESPACE_HELP, readInputs, worldOf } from '../inputs';
import { type Io, styleOf } from '../io';
import { writeReport } from '../output';
import { ProgressLine } from '../progress';
import { CONFIG_HELP, FACTS_HELP, IN_HELP, readSettings, SETTINGS_OPTIONS } from '../settings';
import { readTrust, TRUST_OPTIONS } from '../trust';
import { VERSION_HELP } from '../version-options';

const command: Command = {
  name: 'upgrade',
  usage: `
usage: rollout-constructs upgrade <files|folders|-> --to <software>=<release> [options]
       rollout-constructs upgrade deploy --from kruise=0.5.5 --to kruise=0.6.2

Checks and rehearses these manifests with two releases of what their cluster runs, and says what changes for them: findings
that appear and go, requests that go elsewhere during a release, what the controller writes otherwise, and the differences
between the releases that cause it. Nothing is applied, and no cluster is asked. Name the whole stack in one call.

Software is kruise (Kruise Rollouts), argo (Argo Rollouts), aws-load-balancer-controller, ingress-nginx, traefik, istio or
kubernetes.

Options
  --to <software>=<release>    the release after the upgrade: kruise=0.6.2; may be given once for each software. An older
                           release shows what a step back changes
  --from <software>=<release>  the release before (default what flags, the configuration, --cluster-facts or an install in
                           the stack state)
  --probe <request>        a request to send as well: --probe 'GET https://shop.example.com/cart -H "user-agent: pc"'
  --stories all            every story that a release can take; --story <name|file> for one (repeatable)
  --no-rehearsal           compare findings, but play nothing
  --format <format>        pretty, json, markdown or html (default pretty)
  --output <file>          write the report there, and a readable one to stdout
${CONFIG_HELP}
${IN_HELP}
${NAMESPACE_HELP}
${FACTS_HELP}
${VERSION_HELP}
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: 0 no error appears; 1 errors appear; 2 wrong use, or input that cannot be read.
`,
  async run(args, io) {
    const options = readOptions(args, io);
    const read = await readInputs(options.inputs, io);
    failIfUnread(read);
    const world = await worldOf(read, options.settings.namespace);
    const { versionsOf } = await import('../../upgrade');
    const check = { ...options.settings.check, earlier: read.findings };
    const versions = versionsOf(world, check, options.from, options.to);
    const found = await examined(world, versions, options, check, io);
    const { clusterOf } = await import('../../settings/cluster');
    const { wholeCatalogue } = await import('../../check');
    const context: ReportContext = {
      ...styleOf(io, options.noColor),
      sources: read.sources,
      catalogue: wholeCatalogue(),
      version: packageVersion(),
      // What is compared is stated: only other releases can be assumptions.
      assumptions: clusterOf(world, { ...check, ...versions.from }).assumptions,
    };
    await report(found, context, options, io);
    return found.appears.some(({ severity }) => severity === 'error') ? 1 : 0;
  },
};

export default command;

interface UpgradeCommandOptions {
  readonly inputs: readonly string[];
  readonly from: readonly NamedRelease[];
  readonly to: readonly NamedRelease[];
  readonly settings: Settings;
  readonly format: keyof typeof upgradeReporters;
  readonly output?: string;
  readonly noColor: boolean;
}

function readOptions(args: readonly string[], io: Io): UpgradeCommandOptions {
  const { values, positionals } = parseOptions(
    command.name,
    args,
    {
      from: { type: 'string', multiple: true, default: [] },
      to: { type: 'string', multiple: true, default: [] },
      'no-rehearsal': { type: 'boolean', default: false },
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'no-color': { type: 'boolean', default: false },
      ...SETTINGS_OPTIONS,
      ...TRUST_OPTIONS,
    },
    { max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
  );
  const { readRelease } = require('../../upgrade') as typeof import('../../upgrade');
  if (values.to.length === 0) {
    throw new UserError('upgrade needs a release to compare with', 'name it: --to kruise=0.6.2');
  }
  const formats = Object.keys(upgradeReporters) as (keyof typeof upgradeReporters)[];
  const more = values['no-rehearsal'] ? { rehearsal: false } : {};
  const { settings, files, clusters } = readSettings(values, more, io, readTrust(values, io));
  if (positionals.length === 0 && clusters.length > 0) {
    const names = clusters.map(({ name }) => name);
    throw new UserError(`the configuration has several clusters: ${names.join(', ')}`, `name one: --in ${names[0]}`);
  }
  return {
    inputs: inputsOf(command.name, positionals, files),
    from: values.from.map((text) => readRelease(text, '--from')),
    to: values.to.map((text) => readRelease(text, '--to')),
    settings,
    format: oneOf('--format', values.format, formats),
    ...(values.output === undefined ? {} : { output: values.output }),
    noColor: values['no-color'],
  };
}

/** A comparison of half the stack would mislead. */
function failIfUnread({ manifests, findings, stacks }: ReadResult): void {
  if (stacks !== undefined) {
    throw new UserError(
      `these folders are for several clusters or environments: ${stacks.map(({ name }) => name).join(', ')}`,
      'name the files of one of them',
    );
  }
  const mistake = findings.find(({ rule }: Finding) => UNREAD.has(rule) || manifests.length === 0);
  if (mistake === undefined) return;
  const at = mistake.source === undefined ? '' : `${mistake.source.file}:${mistake.source.line}: `;
  const { message, fix } = findingTexts(mistake);
  throw new UserError(`not everything can be read, so nothing is compared: ${at}${message}`, fix);
}

/** The report, with the severities that the settings give to rules. */
async function examined(
  world: World,
  versions: UpgradeVersions,
  { settings }: UpgradeCommandOptions,
  check: Settings['check'],
  io: Io,
): Promise<UpgradeReport> {
  const { upgrade } = await import('../../upgrade');
  const progress = new ProgressLine(io);
  const steps = upgrade(world, { check, versions });
  let step = steps.next();
  while (!step.done) {
    const { done, total } = step.value;
    await progress.show(`checked with ${done} of ${total} sets of releases`);
    step = steps.next();
  }
  await progress.end();
  const { appears, gone, ...rest } = step.value;
  const weigh = (findings: readonly Finding[]) => weighed(findings, settings.severities).findings;
  return { ...rest, appears: weigh(appears), gone: weigh(gone) };
}

async function report(
  found: UpgradeReport,
  context: ReportContext,
  { format, output }: UpgradeCommandOptions,
  io: Io,
): Promise<void> {
  const plain = { ...context, color: false, ascii: false };
  await writeReport(
    {
      asked: (isPlain) => upgradeReporters[format](found, isPlain ? plain : context),
      pretty: () => upgradeReporters.pretty(found, context),
    },
    output,
    io,
  );
}
