import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Suppression } from '../core/suppression';
import type { World } from '../core/world';
import type { KtEnvCheckOptions } from '../ktenv/rules';
import type { CheckProps } from './checks';
import { reportFindings } from './report-findings';
import { worldOf } from './world';

/** What every construct of KtEnv takes. */
export interface KtEnvCheckProps
  extends Pick<CheckProps, 'external' | 'suppressions' | 'warnings'>,
    Pick<KtEnvCheckOptions, 'istioVersion'> {}

/** What a construct of KtEnv says of itself. */
interface ReporterProps extends KtEnvCheckProps {
  /** The namespace whose objects it speaks for, whoever made them. */
  readonly namespace?: string;
}

interface Reporter {
  readonly construct: IConstruct;
  readonly props: ReporterProps;
}

/** The constructs of KtEnv of an app. */
const reportersOfApps = new WeakMap<IConstruct, Reporter[]>();

/** Makes a construct report at synth what the checks of KtEnv find in the app. */
export function addChecks(construct: IConstruct, props: ReporterProps): void {
  const { root } = construct.node;
  const reporters = reportersOfApps.get(root) ?? [];
  reporters.push({ construct, props });
  reportersOfApps.set(root, reporters);
  construct.node.addValidation({
    validate: () => reportFindings(findingsFor(construct, worldOf(construct)), props, construct),
  });
}

/**
 * What one construct has to report of an app: what was found in its own objects and in those of its namespace. What is
 * neither's the first one reports, so that every finding is reported once.
 */
export function findingsFor(construct: IConstruct, world: World): Finding[] {
  const reporters = [...(reportersOfApps.get(construct.node.root) ?? [])].sort((a, b) =>
    a.construct.node.path < b.construct.node.path ? -1 : 1,
  );
  const own = reporters.filter((reporter) => reporter.construct === construct);
  const istioVersion = [...own, ...reporters].find(({ props }) => props.istioVersion !== undefined)?.props.istioVersion;
  // Loaded here, because an app that only composes its tree should not pay for schemas and rules.
  const { checkEnvironments } = require('../ktenv/check') as typeof import('../ktenv/check');
  const { findings } = checkEnvironments(world, {
    external: reporters.flatMap(({ props }) => props.external ?? []),
    suppressions: reporters.flatMap(suppressionsOf),
    ...(istioVersion === undefined ? {} : { istioVersion }),
  });
  return findings.filter((finding) => reporterOf(finding, reporters)?.construct === construct);
}

function reporterOf(finding: Finding, reporters: readonly Reporter[]): Reporter | undefined {
  const { construct: path = '', object } = finding;
  const namespace = object?.kind === 'Namespace' ? object.name : object?.namespace;
  return (
    reporters.find(({ construct: { node } }) => path === node.path || path.startsWith(`${node.path}/`)) ??
    reporters.find(({ props }) => props.namespace !== undefined && props.namespace === namespace) ??
    reporters[0]
  );
}

function suppressionsOf({ construct, props }: Reporter): Suppression[] {
  const own = { construct: construct.node.path };
  return (props.suppressions ?? []).map((one) => (one.object === undefined ? { ...one, ...own } : one));
}
