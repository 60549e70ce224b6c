import type { Finding, ReadResult } from '../../core';
import { findingTexts } from '../../core/finding';
import type { Rehearsal } from '../../core/rehearsal-result';
import type { StackDiff } from '../../core/stack-diff';
import type { CheckedSide } from '../../diff';
import { packageVersion } from '../../files/package';
import { type DiffContext, diffReporters } from '../../report/diff';
import type { Settings } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import { BUDGET_HELP, BUDGET_OPTIONS, readBudget } from '../budget';
import { UNREAD } from '../check/exit-code';
import { type Command, oneOf, parseOptions } from '../command';
import { FAIL_ON, type FailOn, failures } from '../diff/fail-on';
import { namedSides, readSides, type SidesRequest } from '../diff/sides';
import { NAMESPACE_HELP, worldOf } from '../inputs';
import { type Io, styleOf, write } from '../io';
import { writeReport } from '../output';
import { plainOptions } from '../parallel/job';
import { JOBS_HELP, JOBS_OPTIONS, readJobs } from '../parallel/options';
import { planOf } from '../parallel/plan';
import { rehearseParts } from '../parallel/rehearse-parts';
import { ProgressLine } from '../progress';
import { CONFIG_HELP, FACTS_HELP, readSettings, SETTINGS_OPTIONS } from '../settings';
import { readTrust, TRUST_HELP, TRUST_OPTIONS } from '../trust';
import { VERSION_HELP } from '../version-options';

const command: Command = {
  name: 'diff',
  usage: `
usage: rollout-constructs diff <base> <head> [paths] [options]
       rollout-constructs diff origin/main HEAD deploy
       rollout-constructs diff origin/main deploy
       rollout-constructs diff ../base/dist dist

Says what a change does to releases: which requests each step reaches now, which steps and header routes are new, which
findings are new or fixed, and what happens when the change is merged: whether a release starts, whether the pods are
replaced without a canary, and what the webhook of Kruise Rollouts refuses while a release is in progress.

<base> and <head> are commits of git (branch, tag, hash), or files and folders: manifests, or what two synths wrote.
Commits are read from git; nothing is checked out. [paths] are the files and folders to read in commits (default those
of the configuration, the folder that the other side names, or the working folder). One configuration holds for both.

Options
  --merge-base             compare with the commit from which <head> was branched, as a pull request does
  --fail-on <what>         exit with 1 for: new-errors, new-warnings (or errors), merge (a warning about the merge), change
                           (anything differs); may be given several times (default: never)
  --format <format>        pretty, json, markdown or html (default pretty)
  --output <file>          write the report there, and a readable one to stdout
  --probe <request>        another request to rehearse with: 'GET https://shop.example.com/ -H "user-agent: pc"'
${CONFIG_HELP}
${JOBS_HELP}
${TRUST_HELP}
${BUDGET_HELP}
${NAMESPACE_HELP}
${FACTS_HELP}
${VERSION_HELP}
  --no-color               no colours; so does the variable NO_COLOR

Exit codes: 0 compared, whatever differs; 1 something that --fail-on names; 2 wrong use, or a head that cannot be read.
`,
  async run(args, io) {
    const options = readOptions(args, io);
    const named = namedSides(options.sides, io);
    const read = await readSides(named, io, options.check.budget);
    const base = await checkedSide({ ...named.base, read: read.base, label: 'base' }, options, io);
    const head = await checkedSide({ ...named.head, read: read.head, label: 'head' }, options, io);
    const { compareStacks } = await import('../../diff');
    const diff = compareStacks(base, head);
    await report(
      diff,
      { ...styleOf(io, options.noColor), version: packageVersion(), sources: read.head.sources },
      options,
      io,
    );
    await write(io.stderr, unreadText(diff.base.name, base.findings));
    if (head.findings.some(({ rule }) => UNREAD.has(rule))) {
      await write(io.stderr, unreadText(diff.head.name, head.findings));
      return 2;
    }
    const failed = failures(diff, options.failOn);
    await write(io.stderr, failed.map((line) => `rollout-constructs: ${line}\n`).join(''));
    return failed.length > 0 ? 1 : 0;
  },
};

export default command;

interface DiffCommandOptions extends Pick<Settings, 'check' | 'namespace'> {
  readonly sides: SidesRequest;
  readonly failOn: readonly FailOn[];
  readonly format: keyof typeof diffReporters;
  readonly output?: string;
  readonly jobs?: number;
  readonly noColor: boolean;
}

function readOptions(args: readonly string[], io: Io): DiffCommandOptions {
  const { values, positionals } = parseOptions(
    command.name,
    args,
    {
      'merge-base': { type: 'boolean', default: false },
      'fail-on': { type: 'string', multiple: true, default: [] },
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'no-color': { type: 'boolean', default: false },
      ...SETTINGS_OPTIONS,
      ...JOBS_OPTIONS,
      ...TRUST_OPTIONS,
      ...BUDGET_OPTIONS,
    },
    { min: 2, max: Number.POSITIVE_INFINITY, what: 'two states: commits of git, files or folders' },
  );
  const formats = Object.keys(diffReporters) as (keyof typeof diffReporters)[];
  const [base, head, ...paths] = positionals as [string, string, ...string[]];
  const jobs = readJobs(values.jobs);
  const budget = readBudget(values.budget);
  const { settings, loaded } = readSettings(values, {}, io, readTrust(values, io));
  const { check, namespace } = settings;
  return {
    sides: { base, head, paths, configured: loaded?.config.files ?? [], mergeBase: values['merge-base'] },
    failOn: values['fail-on'].map((what) => oneOf('--fail-on', what, FAIL_ON)),
    check: { ...check, ...(budget && { budget }) },
    ...(namespace === undefined ? {} : { namespace }),
    format: oneOf('--format', values.format, formats),
    ...(values.output === undefined ? {} : { output: values.output }),
    ...(jobs === undefined ? {} : { jobs }),
    noColor: values['no-color'],
  };
}

interface ReadSide {
  readonly name: string;
  readonly at?: { readonly commit: string } | undefined;
  readonly read: ReadResult;
  /** For the progress line. */
  readonly label: string;
}

/** Checks and rehearses one state. */
async function checkedSide(
  { name, at, read, label }: ReadSide,
  { check, namespace, jobs }: DiffCommandOptions,
  io: Io,
): Promise<CheckedSide> {
  const { checkObjects, concludeCheck, rehearseOptions } = await import('../../check');
  const { findingsOf } = await import('../../rehearsal');
  const { clusterOf } = await import('../../settings/cluster');
  const world = await worldOf(read, namespace);
  const options = { ...check, earlier: read.findings };
  const cluster = clusterOf(world, options);
  const plan = planOf({ world, cluster, ...(jobs === undefined ? {} : { jobs }) });
  const progress = new ProgressLine(io);
  let checked: readonly Finding[] = [];
  const results = await rehearseParts({
    parts: check.rehearsal === false ? [] : plan.parts,
    options: plainOptions(cluster, options, { kept: 'rehearsals' }),
    jobs: plan.jobs,
    first: () => {
      checked = checkObjects(world, options);
    },
    onProgress: (done) => progress.show(`${label}: rehearsed ${done} of ${plan.rollouts} Rollouts`),
  });
  await progress.end();
  const rehearsals: Rehearsal[] = results.flatMap((result) => result.rehearsals);
  return {
    name,
    ...(at === undefined ? {} : { commit: at.commit }),
    world,
    rehearsals,
    options: rehearseOptions(world, options),
    ...concludeCheck(world, checked, findingsOf(rehearsals), options),
  };
}

function unreadText(name: string, findings: readonly Finding[]): string {
  const unread = findings.filter(({ rule }) => UNREAD.has(rule));
  if (unread.length === 0) return '';
  const { message } = findingTexts(unread[0]!);
  return `rollout-constructs: "${name}" was not read or rehearsed as a whole: ${message}\n`;
}

async function report(
  diff: StackDiff,
  context: DiffContext,
  { format, output }: DiffCommandOptions,
  io: Io,
): Promise<void> {
  const plain = { ...context, color: false, ascii: false };
  const printer = {
    asked: (isPlain: boolean) => diffReporters[format](diff, isPlain ? plain : context),
    pretty: () => diffReporters.pretty(diff, context),
  };
  try {
    await writeReport(printer, output, io);
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`--output: ${error.message}`, error.hint);
    throw error;
  }
}
