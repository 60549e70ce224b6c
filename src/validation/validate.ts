import { basename } from 'node:path';
import { checkStack, wholeCatalogue } from '../check';
import { withoutKnown } from '../cli/check/baseline';
import { toDisplay } from '../cli/files';
import { describeVersions } from '../cli/versions';
import { readManifests, World } from '../core';
import type { Finding, Severity } from '../core/finding';
import { countFindings } from '../report';
import { constructPaths } from './construct-paths';
import type { RecordedConstruct, ValidationContext } from './context';
import type { RolloutConstructsValidationProps } from './plugin';
import { readProperties, type ValidationOptions } from './properties';
import { recordedPaths } from './record';
import { type NamedViolation, violationsOf } from './violations';

/** Checks all manifests of a synth as one stack, and reports to cdk8s-cli. */
export function validateManifests(context: ValidationContext, properties: RolloutConstructsValidationProps): void {
  const cwd = process.cwd();
  const options = readProperties(properties, cwd);
  const read = readManifests(context.manifests.map((file) => toDisplay({ cwd }, file)));
  const { config, versions, probes } = options;
  const recordedPath = recordedPaths(context.manifests);
  const knownPath = constructPaths(read.manifests, context.metadata ?? {});
  const result = checkStack(World.of(read.manifests), {
    kruiseVersion: versions.kruise,
    argoVersion: versions.argo,
    awsLoadBalancerController: versions.awsLoadBalancerController,
    kubernetesVersion: versions.kubernetes,
    ...(versions.istio && { istioVersion: versions.istio }),
    ...(config.controllerNamespace && { controllerNamespace: config.controllerNamespace }),
    external: config.external ?? [],
    suppressions: config.suppressions ?? [],
    rehearsal: (config.rehearsal ?? true) && { probes, reports: false },
    earlier: read.findings,
  });
  const findings = toldOf(result.findings, options);
  const violations = violationsOf(findings, {
    manifests: read.manifests,
    pathOf: (manifest) => recordedPath(manifest) ?? knownPath(manifest),
    catalogue: wholeCatalogue(),
    // The files of --stdout are gone when somebody reads the report.
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
    ...describeVersions(versions),
  });
}

function rename(metadata: Record<string, RecordedConstruct>, paths: NamedViolation['paths']): void {
  for (const [resource, path] of paths) {
    if (path === undefined) delete metadata[resource];
    else metadata[resource] = { path };
  }
}

/** Without notes, about which there is nothing to do: they are left to the command line. */
function toldOf(findings: readonly Finding[], { severities, baseline }: ValidationOptions): readonly Finding[] {
  const weighed = findings.flatMap((finding) => {
    const severity: Severity | 'off' = severities.get(finding.rule) ?? finding.severity;
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
  const left = baseline === undefined ? weighed : withoutKnown(weighed, baseline.file, baseline.name).findings;
  return left.filter(({ severity }) => severity !== 'note');
}
