import { counted } from '../../core/counted';
import { collectFindings, type Finding, inReportOrder } from '../../core/finding';
import type { SuppressedFinding, SuppressionResult } from '../../core/suppression';
import { type BaselineFile, comparedWithBaseline, writeBaseline } from '../../files/baseline';
import { CACHE_HELP } from '../../files/cache/script-store';
import { packageVersion } from '../../files/package';
import { toAbsolute, writeAtomically } from '../../files/paths';
import type { ReportContext } from '../../report';
import { weighed } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import { BUDGET_HELP } from '../budget';
import { exitCodeOf } from '../check/exit-code';
import { type CheckCommandOptions, readCheckOptions } from '../check/options';
import { readUnits, runUnits } from '../check/run-units';
import type { Command } from '../command';
import { NAMESPACE_HELP } from '../inputs';
import { type Io, styleOf, write } from '../io';
import { PARALLEL_HELP } from '../parallel/options';
import { CONFIG_HELP, IN_HELP } from '../settings';
import { TRUST_HELP, tooManySuppressed } from '../trust';
import { VERSION_HELP } from '../version-options';

const command: Command = {
  name: 'check',
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
${CONFIG_HELP}
${IN_HELP}
${PARALLEL_HELP}
${CACHE_HELP}
${TRUST_HELP}
${BUDGET_HELP}
${NAMESPACE_HELP}
  --scripts <scripts>      the routing scripts in the cluster, if the files do not have their ConfigMap: library, a folder
                           of scripts, or a file with the ConfigMap; may be given several times
  --controller-namespace <name>  where the controller of Kruise Rollouts runs (default that of the install, or kruise-rollout)
  --cluster-facts <file>   facts of the cluster, as "cluster pull" writes them; other flags and the configuration come first
${VERSION_HELP}
  --no-color               no colours; so does the variable NO_COLOR

A finding is accepted with the annotation rollout-constructs.io/ignore: "<rule>: <reason>" on the object.

Exit codes: 0 no errors; 1 errors, or more warnings than allowed; 2 wrong use, or input that cannot be read.
`,
  async run(args, io) {
    const options = readCheckOptions(command.name, args, io);
    const units = await readUnits(options, io);
    const count = units.reduce((sum, { read }) => sum + read.manifests.length, 0);
    const isLong = count > MANY && io.isTTY.stderr;
    if (isLong) await write(io.stderr, `checking ${count} objects\r`);
    const { read, findings: found, suppressed, ifAll, scope } = await runUnits(units, io);
    if (isLong) await write(io.stderr, '\u001b[K');
    const all = weighedBy(options, found);
    const { findings, known, gone } = compared(all.findings, options);
    if (options.updateBaseline) writeBaseline(all.findings, options.baseline!);
    const accepted = [...suppressed, ...all.suppressed, ...knownTo(options.baseline, known)];
    const { wholeCatalogue } = await import('../../check');
    const context: ReportContext = {
      ...styleOf(io, options.noColor),
      suppressed: inReportOrder(accepted, ({ finding }) => finding),
      sources: read.sources,
      catalogue: wholeCatalogue(),
      version: packageVersion(),
      ...scope,
      ...(options.shard && {
        shard: { ...options.shard, ifAll: compared(weighedBy(options, ifAll).findings, options).findings },
      }),
    };
    await report(findings, context, options, io);
    await write(io.stderr, baselineText(options, all.findings.length, known.length, gone));
    const tooMany = tooManySuppressed(accepted, options.trust);
    await write(io.stderr, tooMany);
    const code = exitCodeOf(findings, {
      maxWarnings: options.maxWarnings,
      isEmpty: read.manifests.length === 0,
      all: [...read.findings, ...found],
    });
    return tooMany === '' ? code : Math.max(code, 1);
  },
};

export default command;

/** Show progress above this many objects. */
const MANY = 500;

/** The findings with the severities of the options, the worst first. */
function weighedBy({ only, severities }: CheckCommandOptions, findings: readonly Finding[]): SuppressionResult {
  const asked = findings.filter(({ rule }) => only?.has(rule) ?? true);
  const result = weighed(asked, severities);
  return { ...result, findings: collectFindings(result.findings) };
}

/** The findings that the baseline holds, as suppressed ones. */
function knownTo(baseline: BaselineFile | undefined, known: readonly Finding[]): SuppressedFinding[] {
  if (baseline === undefined) return [];
  const source = { file: baseline.name, line: 1, column: 1 };
  return known.map((finding) => ({ finding, reason: 'it was known before', by: 'baseline', source }));
}

function compared(findings: readonly Finding[], { baseline, updateBaseline }: CheckCommandOptions) {
  if (baseline === undefined) return { findings, known: [], gone: 0 };
  return updateBaseline ? { findings: [], known: [], gone: 0 } : comparedWithBaseline(findings, baseline);
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function baselineText(
  { baseline, updateBaseline, shard }: CheckCommandOptions,
  found: number,
  known: number,
  gone: number,
): string {
  if (baseline === undefined) return '';
  if (updateBaseline) return `${counted(found, 'finding')} ${isOrAre(found)} in "${baseline.name}" now\n`;
  // What is gone from one shard may be found by another.
  const stale =
    gone === 0 || shard !== undefined ? '' : `; ${gone} of it ${isOrAre(gone)} gone: --update-baseline takes them out`;
  return `${counted(known, 'finding')} ${isOrAre(known)} in the baseline "${baseline.name}" and hidden${stale}\n`;
}

async function report(
  findings: readonly Finding[],
  context: ReportContext,
  options: CheckCommandOptions,
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
