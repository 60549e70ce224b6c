import type { IConstruct } from 'constructs';
import type { Finding, ObjectRef } from '../core/finding';
import type { Suppression } from '../core/suppression';
import type { World } from '../core/world';
import { KruiseRolloutVersion } from '../kruise/version';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { reportFindings } from './report-findings';
import { worldOf } from './world';

/** What every construct whose objects are checked takes. */
export interface CheckProps {
  /**
   * The release of the controller that will read the objects; what it knows and how it behaves depends on it.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;

  /**
   * Objects that exist in the cluster although no chart of this app makes them: a Service of a Helm chart, an Ingress of
   * another repository. One without `namespace` is external in every namespace.
   * @default - all objects that are referred to are in this app
   */
  readonly external?: readonly ObjectRef[];

  /**
   * The namespace in which the controller runs, and looks for the ConfigMap of scripts.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;

  /**
   * Findings that are accepted as they are, each with the reason: about this construct, or about the object that is
   * named. One that matches nothing is itself a finding.
   * @default - none
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];

  /**
   * What becomes of findings that are warnings or notes: printed to stderr at synth, or a failure like any error.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail';
}

/** What the checks need to know of the load balancer as well. */
interface ReporterProps extends CheckProps {
  readonly loadBalancerController?: AwsLoadBalancerControllerVersion;
}

/** A construct that reports findings, and what it is checked for. */
interface Reporter {
  readonly construct: IConstruct;
  readonly props: ReporterProps;
}

/** All constructs of an app that report findings on Kruise Rollouts. */
class Reporters {
  static of({ node: { root } }: IConstruct): Reporters {
    const known = apps.get(root) ?? new Reporters();
    apps.set(root, known);
    return known;
  }

  private readonly reporters: Reporter[] = [];
  private readonly results = new WeakMap<World, Map<string, readonly Finding[]>>();

  add(reporter: Reporter): void {
    this.reporters.push(reporter);
  }

  /**
   * What one construct has to report: what was found in its own objects, and, if it is the first one, what was found in
   * objects that no reporting construct made. So every finding of an app is reported once.
   */
  findingsFor(construct: IConstruct, world: World): Finding[] {
    const own = this.reporters.find((reporter) => reporter.construct === construct)!;
    const first = [...this.reporters].sort((a, b) => (a.construct.node.path < b.construct.node.path ? -1 : 1))[0]!;
    return this.allFindings(own.props, world).filter((finding) => {
      const maker = this.reporters.find((reporter) => isWithin(finding.construct, reporter.construct.node.path));
      return maker === undefined ? construct === first.construct : maker.construct === construct;
    });
  }

  private allFindings(props: ReporterProps, world: World): readonly Finding[] {
    const { version = KruiseRolloutVersion.LATEST, controllerNamespace } = props;
    // One construct that says which release it is says it for the cluster.
    const loadBalancerController = [props, ...this.reporters.map((reporter) => reporter.props)].find(
      (each) => each.loadBalancerController !== undefined,
    )?.loadBalancerController;
    const key = JSON.stringify([version.version, version.facts, controllerNamespace, loadBalancerController?.facts]);
    const results = this.results.get(world) ?? new Map<string, readonly Finding[]>();
    this.results.set(world, results);
    const known = results.get(key);
    if (known !== undefined) return known;
    // Loaded here, because an app that only composes its tree should not pay for schemas and rules.
    const { checkKruise } = require('../kruise/check') as typeof import('../kruise/check');
    const { findings } = checkKruise(world, {
      version,
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      ...(loadBalancerController === undefined ? {} : { loadBalancerController }),
      external: this.reporters.flatMap((reporter) => reporter.props.external ?? []),
      suppressions: this.reporters.flatMap(suppressionsOf),
    });
    results.set(key, findings);
    return findings;
  }
}

const apps = new WeakMap<IConstruct, Reporters>();

function suppressionsOf({ construct, props }: Reporter): Suppression[] {
  const own = { construct: construct.node.path };
  return (props.suppressions ?? []).map((one) => (one.object === undefined ? { ...one, ...own } : one));
}

function isWithin(construct: string | undefined, ancestor: string): boolean {
  return construct === ancestor || (construct?.startsWith(`${ancestor}/`) ?? false);
}

/**
 * Makes a construct report at synth what the checks find in the app.
 * @param further what the construct has to say beside that
 */
export function addChecks(
  construct: IConstruct,
  props: ReporterProps,
  further: (world: World) => readonly Finding[] = () => [],
): void {
  Reporters.of(construct).add({ construct, props });
  const validate = () => {
    const world = worldOf(construct);
    return reportFindings([...further(world), ...findingsFor(construct, world)], props, construct);
  };
  construct.node.addValidation({ validate });
}

/** What a construct has to report, of an app as it is now. */
export function findingsFor(construct: IConstruct, world: World): Finding[] {
  return Reporters.of(construct).findingsFor(construct, world);
}
