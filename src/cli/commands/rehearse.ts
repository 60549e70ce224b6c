import type { Shard } from '../../check';
import type { Finding, ReadResult, World } from '../../core';
import { findingTexts } from '../../core/finding';
import type { Rehearsal } from '../../core/rehearsal-result';
import { packageVersion } from '../../files/package';
import { toAbsolute, writeAtomically } from '../../files/paths';
import { type RehearsalContext, rehearsalReporters } from '../../report/rehearsal';
import type { Cluster } from '../../settings/cluster';
import type { Settings } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import { BUDGET_HELP, BUDGET_OPTIONS, readBudget } from '../budget';
import { UNREAD } from '../check/exit-code';
import { type Command, oneOf, parseOptions } from '../command';
import { NAMESPACE_HELP, readInputs, worldOf } from '../inputs';
import { type Io, styleOf, write } from '../io';
import { plainOptions } from '../parallel/job';
import { PARALLEL_HELP, PARALLEL_OPTIONS, readJobs, readShard } from '../parallel/options';
import { type Plan, planOf } from '../parallel/plan';
import { inOrderOfWorld } from '../parallel/rehearsal-order';
import { rehearseParts } from '../parallel/rehearse-parts';
import { ProgressLine } from '../progress';
import { CONFIG_HELP, FACTS_HELP, IN_HELP, readSettings, SETTINGS_OPTIONS } from '../settings';
import { readTrust, TRUST_HELP, TRUST_OPTIONS, type TrustSettings, tooManySuppressed } from '../trust';
import { VERSION_HELP } from '../version-options';

const command: Command = {
  name: 'rehearse',
  usage: `
usage: rollout-constructs rehearse <files|folders|-> [options]

Reads manifests (YAML or JSON, "-" is stdin) and plays every Rollout and TrafficRouting of Kruise and every Rollout of
Argo in them, from before the first step until after the last, and on a rollback.
Requests are derived from the manifests; more can be given. Needs the whole stack: Rollouts, workloads, Services,
Ingresses or other routes, and for Kruise the ConfigMap of scripts.

Options
  --probe <request>        a request to send as well: --probe 'GET https://shop.example.com/cart -H "user-agent: pc"'
  --story <name|file>      a story to play as well: roll-back, roll-back@1, a YAML file; it is shown as a table (repeatable)
  --stories all            every story that a release can take, a line each
  --rollout <name>         only this Rollout, as name or namespace/name
  --step <n>               only steps[n], counted from 0
  --require-rehearsal      exit with 1 when no request reaches one of the Rollouts, or there is nothing to rehearse
  --format <format>        pretty, json, markdown or html (default pretty)
  --output <file>          write the report there, and a readable one to stdout
${CONFIG_HELP}
${IN_HELP}
${NAMESPACE_HELP}
${FACTS_HELP}
${VERSION_HELP}
${PARALLEL_HELP}
${TRUST_HELP}
${BUDGET_HELP}
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: 0 no error, even where nothing could be rehearsed; 1 errors; 2 wrong use, or input that cannot be read.
`,
  async run(args, io) {
    const options = readOptions(args, io);
    const read = await readInputs(options.inputs, io, options.check.budget);
    await write(io.stderr, severalText(read));
    const { shard, step } = options;
    const world = await worldOf(read, options.namespace);
    const { clusterOf } = await import('../../settings/cluster');
    const cluster = clusterOf(world, options.check);
    const plan = planOf({ world, cluster, shard, jobs: options.jobs });
    const rehearsed = await rehearseAll(plan, cluster, options, io);
    // A shard may have nothing to do where there are fewer load balancers than shards.
    if (rehearsed.length === 0 && plan.cut === undefined) {
      failIfUnreadable(options, read);
      await write(io.stderr, NOTHING_THERE);
      return options.requireRehearsal ? 1 : 0;
    }
    const result = await accepted(rehearsed, [...read.findings, ...cluster.findings], world, plan, options);
    const atStep = (findings: readonly Finding[]) =>
      step === undefined ? findings : findings.filter((each) => each.step === undefined || each.step === step);
    const shown = atStep(result.findings);
    const context: RehearsalContext = {
      ...styleOf(io, options.noColor),
      findings: shown,
      suppressed: result.suppressed,
      sources: read.sources,
      version: packageVersion(),
      assumptions: cluster.assumptions,
      tables: options.tables,
      ...(shard && { shard: { ...shard, ifAll: atStep(result.ifAll) } }),
    };
    await report(
      step === undefined ? result.rehearsals : result.rehearsals.map((each) => onlyStep(each, step)),
      context,
      options,
      io,
    );
    const tooMany = tooManySuppressed(result.suppressed, options.trust);
    await write(io.stderr, tooMany);
    if (shown.some(({ rule }) => UNREAD.has(rule))) return 2;
    if (tooMany !== '' || shown.some(({ severity }) => severity === 'error')) return 1;
    const unsent = rehearsed.filter(({ requests }) => requests.length === 0).length;
    if (unsent === 0) return 0;
    await write(io.stderr, unsentText(unsent, rehearsed.length));
    return options.requireRehearsal ? 1 : 0;
  },
};

export default command;

/** Rehearsals are of one cluster: of an object that several environments have, the last one counts. */
function severalText({ stacks = [] }: ReadResult): string {
  if (stacks.length === 0) return '';
  const names = stacks.map(({ name }) => name).join(', ');
  return `rollout-constructs: these folders are for several clusters or environments (${names}); name the files of one of them\n`;
}

const NOTHING_THERE = `rollout-constructs: these manifests hold no Rollout that routes traffic and no TrafficRouting, so there is nothing to rehearse
`;

function unsentText(unsent: number, all: number): string {
  const what =
    unsent === all
      ? 'no request was sent, so nothing was rehearsed'
      : `no request was sent for ${unsent} of ${all} Rollouts, marked with ?`;
  return `rollout-constructs: ${what}
  the findings say why; name the files of the whole stack: rollout-constructs rehearse --help tells what belongs to it
`;
}

interface RehearseCommandOptions extends Pick<Settings, 'check' | 'namespace'> {
  readonly inputs: readonly string[];
  readonly rollout?: string;
  readonly requireRehearsal: boolean;
  readonly step?: number;
  /** The stories to show as tables, by name. */
  readonly tables: readonly string[];
  readonly format: keyof typeof rehearsalReporters;
  readonly output?: string;
  readonly shard?: Shard;
  readonly jobs?: number;
  readonly noColor: boolean;
  readonly trust: TrustSettings;
}

function readOptions(args: readonly string[], io: Io): RehearseCommandOptions {
  const { values, positionals } = parseOptions(
    command.name,
    args,
    {
      rollout: { type: 'string' },
      'require-rehearsal': { type: 'boolean', default: false },
      step: { type: 'string' },
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'no-color': { type: 'boolean', default: false },
      ...SETTINGS_OPTIONS,
      ...PARALLEL_OPTIONS,
      ...TRUST_OPTIONS,
      ...BUDGET_OPTIONS,
    },
    { min: 1, max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
  );
  const formats = Object.keys(rehearsalReporters) as (keyof typeof rehearsalReporters)[];
  const shard = readShard(values.shard);
  const jobs = readJobs(values.jobs);
  const trust = readTrust(values, io);
  const budget = readBudget(values.budget);
  const { check, namespace } = readSettings(values, {}, io, trust).settings;
  return {
    trust,
    inputs: positionals,
    check: { ...check, ...(budget && { budget }) },
    ...(namespace === undefined ? {} : { namespace }),
    requireRehearsal: values['require-rehearsal'],
    tables: tablesOf(check.rehearsal, values.story),
    ...(values.rollout === undefined ? {} : { rollout: values.rollout }),
    ...(values.step === undefined ? {} : { step: readStep(values.step) }),
    format: oneOf('--format', values.format, formats),
    ...(values.output === undefined ? {} : { output: values.output }),
    ...(shard === undefined ? {} : { shard }),
    ...(jobs === undefined ? {} : { jobs }),
    noColor: values['no-color'],
  };
}

/** The names that are asked for with `--story`, and those of stories in files. */
function tablesOf(rehearsal: Settings['check']['rehearsal'], named: readonly string[]): string[] {
  const asked = rehearsal === false ? [] : (rehearsal?.stories ?? []);
  const own = asked === 'all' ? [] : asked.flatMap((each) => (typeof each === 'string' ? [] : [each.name]));
  return [...named, ...own];
}

function readStep(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UserError(`--step is "${text}"`, 'it must be the number of a step, counted from 0 as in steps[0]');
}

/** Rehearses in the threads of the plan; in the order that does not depend on how the work was divided. */
async function rehearseAll(
  plan: Plan,
  cluster: Cluster,
  { check, rollout }: RehearseCommandOptions,
  io: Io,
): Promise<Rehearsal[]> {
  const progress = new ProgressLine(io);
  const results = await rehearseParts({
    parts: plan.parts,
    options: plainOptions(cluster, check, { kept: 'rehearsals', ...(rollout === undefined ? {} : { rollout }) }),
    jobs: plan.jobs,
    onProgress: (done) => progress.show(`rehearsed ${done} of ${plan.rollouts} Rollouts`),
  });
  await progress.end();
  return inOrderOfWorld(results.flatMap(({ rehearsals }) => rehearsals));
}

/** What is left once the manifests have accepted what they accept, of this shard. */
async function accepted(
  rehearsed: readonly Rehearsal[],
  read: readonly Finding[],
  world: World,
  { cut }: Plan,
  { shard, trust }: RehearseCommandOptions,
) {
  const { acceptRehearsals, acceptShard } = await import('../../check');
  const { collectFindings } = await import('../../core');
  const earlier = [...read, ...world.findings];
  if (cut === undefined || shard === undefined) {
    const result = acceptRehearsals(rehearsed, world, trust.trusts);
    return { ...result, findings: collectFindings([...earlier, ...result.findings]), ifAll: [] };
  }
  const result = acceptShard(rehearsed, { world, cut, shard }, trust.trusts);
  const own = earlier.filter(({ object }) => (cut.partOf(object) ?? 0) === shard.index - 1);
  return { ...result, findings: collectFindings([...own, ...result.findings]) };
}

/** Throws where the input, not the stack, is why there is no rehearsal. */
function failIfUnreadable({ rollout }: RehearseCommandOptions, { findings, manifests }: ReadResult): void {
  const [mistake] = findings.filter(({ severity }: Finding) => severity === 'error' || manifests.length === 0);
  const at = mistake?.source === undefined ? '' : `${mistake.source.file}:${mistake.source.line}: `;
  if (mistake !== undefined) {
    const { message, fix } = findingTexts(mistake);
    throw new UserError(`nothing to rehearse: ${at}${message}`, fix);
  }
  if (rollout === undefined) return;
  throw new UserError(
    `nothing to rehearse: there is no Rollout "${rollout}" with trafficRoutings (Kruise) or trafficRouting (Argo) in these manifests`,
    'name the files of the whole stack: rollout-constructs rehearse --help tells what belongs to it',
  );
}

/** The state before, and what belongs to one step. */
function onlyStep(rehearsal: Rehearsal, step: number): Rehearsal {
  const isMeant = (moment: Rehearsal['moments'][number]) =>
    moment.phase === 'before' || (moment.step === step && (moment.phase === 'step' || moment.phase === 'prepare'));
  const findings = rehearsal.findings.filter((finding) => finding.step === undefined || finding.step === step);
  return { ...rehearsal, moments: rehearsal.moments.filter(isMeant), findings };
}

async function report(
  rehearsals: readonly Rehearsal[],
  context: RehearsalContext,
  { format, output }: RehearseCommandOptions,
  io: Io,
): Promise<void> {
  if (output === undefined) {
    await write(io.stdout, rehearsalReporters[format](rehearsals, context));
    return;
  }
  const text = rehearsalReporters[format](rehearsals, { ...context, color: false, ascii: false });
  writeAtomically(toAbsolute(io, output), text);
  await write(io.stdout, rehearsalReporters.pretty(rehearsals, context));
}
