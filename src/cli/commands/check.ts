import type { Finding, ReadResult, Severity } from '../../core';
import type { ReportContext } from '../../report';
import { withoutKnown, writeBaseline } from '../check/baseline';
import { type CheckOptions, readCheckOptions } from '../check/options';
import type { Command } from '../command';
import { toAbsolute, writeAtomically } from '../files';
import { readInputs } from '../inputs';
import { type Io, styleOf, write } from '../io';
import { packageVersion } from '../package-version';
import { UserError } from '../user-error';
import { describeVersions, VERSION_HELP } from '../versions';

const command: Command = {
  name: 'check',
  summary: 'Check manifests of all systems against every rule, and rehearse their Rollouts',
  usage: `
usage: rollout-constructs check <files|folders|-> [options]
       helm template . | rollout-constructs check -
       kustomize build overlays/prod | rollout-constructs check -

Reads manifests (YAML or JSON, "-" is stdin), checks every object of Kruise Rollouts, Argo Rollouts, KtEnv and the load
balancers around them, and plays every Rollout through its controller and the load balancers. Name the whole stack in one
call: what is not there is taken for missing.

Options
  --format <format>        pretty, json, sarif, junit, github or markdown (default pretty)
  --output <file>          write the report there, and a readable one to stdout
  --max-warnings <n>       exit with 1 when there are more warnings than that
  --rule <id>              only this rule; may be given several times
  --ignore <id>            not this rule; may be given several times
  --baseline <file>        leave out the findings that this file knows
  --update-baseline        write what is found now into that file
  --probe <request>        another request to rehearse with: 'GET https://shop.example.com/ -H "user-agent: pc"'
  --no-rehearsal           check the objects, but play nothing
  --config <file>          the configuration (default rollout-constructs.config.{json,yaml,ts} here or above)
  --no-config              no configuration
  --controller-namespace <name>  where the controller of Kruise Rollouts runs (default that of the install, or kruise-rollout)
${VERSION_HELP}
  --no-color               no colours; so does the variable NO_COLOR

A finding is accepted with the annotation rollout-constructs.io/ignore: "<rule>: <reason>" on the object.

Exit codes: 0 no errors; 1 errors, or more warnings than allowed; 2 wrong use, or input that cannot be read.
`,
  async run(args, io) {
    const options = readCheckOptions(command.name, args, io);
    const read = await readInputs(options.inputs, io);
    if (read.manifests.length > MANY && io.isTTY.stderr) await write(io.stderr, `${progress(read)}\r`);
    const { findings: found, context } = await checked(read, options, io);
    const weighed = found.flatMap((finding) => weighedBy(options, finding));
    const { findings, known, gone } = compared(weighed, options);
    if (options.updateBaseline) writeBaseline(weighed, options.baseline!.file, options.baseline!.name);
    await report(findings, context, options, io);
    await write(io.stderr, baselineText(options, weighed.length, known, gone));
    if (read.manifests.length === 0 || read.findings.some(({ rule }) => UNREAD.has(rule))) return 2;
    const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
    return count('error') > 0 || count('warning') > options.maxWarnings ? 1 : 0;
  },
};

export default command;

/** From so many objects on, who waits is told what for. */
const MANY = 500;

/** What says that something was not checked at all. */
const UNREAD: ReadonlySet<string> = new Set([
  'file-unreadable',
  'file-not-utf8',
  'too-much-input',
  'yaml-too-deep',
  'yaml-excessive-aliasing',
  'yaml-invalid',
  'helm-template',
]);

function progress({ manifests }: ReadResult): string {
  return `checking ${manifests.length} objects`;
}

async function checked(read: ReadResult, options: CheckOptions, io: Io) {
  const { checkStack, wholeCatalogue } = await import('../../check');
  const { World } = await import('../../core');
  const { versions, config, probes, controllerNamespace } = options;
  const { findings, suppressed } = checkStack(World.of(read.manifests), {
    kruiseVersion: versions.kruise,
    argoVersion: versions.argo,
    awsLoadBalancerController: versions.awsLoadBalancerController,
    kubernetesVersion: versions.kubernetes,
    ...(versions.istio && { istioVersion: versions.istio }),
    ...(controllerNamespace && { controllerNamespace }),
    ...(config.external && { external: config.external }),
    ...(config.suppressions && { suppressions: config.suppressions }),
    rehearsal: options.rehearsal && { probes },
    earlier: read.findings,
  });
  if (read.manifests.length > MANY && io.isTTY.stderr) await write(io.stderr, '\u001b[K');
  const context: ReportContext = {
    ...styleOf(io, options.noColor),
    suppressed,
    sources: read.sources,
    catalogue: wholeCatalogue(),
    version: packageVersion(),
    objects: read.manifests.length,
    checkedFor: describeVersions(versions),
  };
  return { findings, context };
}

function weighedBy({ only, severities }: CheckOptions, finding: Finding): Finding[] {
  const severity = severities.get(finding.rule) ?? finding.severity;
  if (severity === 'off' || !(only?.has(finding.rule) ?? true)) return [];
  return [severity === finding.severity ? finding : { ...finding, severity }];
}

function compared(findings: readonly Finding[], { baseline, updateBaseline }: CheckOptions) {
  if (baseline === undefined) return { findings, known: 0, gone: 0 };
  return updateBaseline ? { findings: [], known: 0, gone: 0 } : withoutKnown(findings, baseline.file, baseline.name);
}

function baselineText({ baseline, updateBaseline }: CheckOptions, found: number, known: number, gone: number): string {
  if (baseline === undefined) return '';
  if (updateBaseline) return `${found} findings are in "${baseline.name}" now\n`;
  const stale = gone === 0 ? '' : `; ${gone} of it are gone: --update-baseline takes them out`;
  return `${known} findings are in the baseline "${baseline.name}" and not told${stale}\n`;
}

async function report(
  findings: readonly Finding[],
  context: ReportContext,
  options: CheckOptions,
  io: Io,
): Promise<void> {
  const { reporters } = await import('../../report');
  const { format, output } = options;
  if (output === undefined) {
    await write(io.stdout, reporters[format](findings, context));
    return;
  }
  const text = reporters[format](findings, { ...context, color: false, ascii: false });
  try {
    writeAtomically(toAbsolute(io, output), text, output);
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`--output: ${error.message}`, error.hint);
    throw error;
  }
  await write(io.stdout, reporters.pretty(findings, context));
}
