import { basename } from 'node:path';
import { checkStack, wholeCatalogue } from '../check';
import { World } from '../core';
import type { Finding } from '../core/finding';
import { comparedWithBaseline } from '../files/baseline';
import { readManifests } from '../files/manifests';
import { toDisplay } from '../files/paths';
import { countFindings } from '../report';
import { describeVersions } from '../settings/cluster';
import { weighed } from '../settings/settings';
import { constructPaths } from './construct-paths';
import type { RecordedConstruct, ValidationContext } from './context';
import type { RolloutConstructsValidationProps } from './plugin';
import { readProperties, type ValidationOptions } from './properties';
import { recordedPaths } from './record';
import { type NamedViolation, violationsOf } from './violations';

/** Checks all manifests of a synth as one stack, and reports to cdk8s-cli. */
export function validateManifests(context: ValidationContext, properties: RolloutConstructsValidationProps): void {
  const options = readProperties(properties, process.cwd());
  const { read, result, findings } = checkedManifests(context.manifests, options);
  const recordedPath = recordedPaths(context.manifests);
  const knownPath = constructPaths(read.manifests, context.metadata ?? {});
  const { assumptions } = result.cluster;
  const violations = violationsOf(findings, {
    manifests: read.manifests,
    pathOf: (manifest) => recordedPath(manifest) ?? knownPath(manifest),
    catalogue: wholeCatalogue(),
    // With --stdout the files are temporary: the report shows their names only.
    shownFile: context.stdout ? (file) => basename(file) : (file) => file,
  });
  for (const { violation, paths } of violations) {
    // cdk8s-cli asks for the path of a construct by the name of the resource, which several resources may share.
    if (context.metadata !== undefined) rename(context.metadata, paths);
    context.report.addViolation(violation);
  }
  const { errors, warnings, suppressed } = countFindings(findings, {
    color: false,
    ascii: false,
    suppressed: result.suppressed,
  });
  context.report.submit(errors > 0 || warnings > options.maxWarnings ? 'failure' : 'success', {
    Errors: String(errors),
    Warnings: String(warnings),
    Accepted: String(suppressed),
    Objects: String(read.manifests.length),
    ...describeVersions(result.cluster),
    ...(assumptions.length > 0 && { Assumed: assumptions.join('; ') }),
  });
}

/** Checks the files of a synth; `findings` are those that the plugin reports. */
export function checkedManifests(files: readonly string[], options: ValidationOptions) {
  const read = readManifests(files.map((file) => toDisplay({ cwd: process.cwd() }, file)));
  const { rehearsal } = options.check;
  const { namespace } = options;
  const result = checkStack(World.of(read.manifests, { defaultNamespace: namespace }), {
    ...options.check,
    rehearsal: rehearsal && { ...rehearsal, reports: false },
    earlier: read.findings,
  });
  return { read, result, findings: reportedOf(result.findings, options) };
}

function rename(metadata: Record<string, RecordedConstruct>, paths: NamedViolation['paths']): void {
  for (const [resource, path] of paths) {
    if (path === undefined) delete metadata[resource];
    else metadata[resource] = { path };
  }
}

/** Errors and warnings. Notes ask for no action, so only the command line prints them. */
function reportedOf(findings: readonly Finding[], { severities, baseline }: ValidationOptions): readonly Finding[] {
  const all = weighed(findings, severities).findings;
  const left = baseline === undefined ? all : comparedWithBaseline(all, baseline).findings;
  return left.filter(({ severity }) => severity !== 'note');
}
