import { ApiObject, type ApiObjectMetadata, Lazy, Yaml } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ArgoAlbObjects } from '../argo/alb';
import type { ArgoAlbRolloutOptions } from '../argo/alb/options';
import type { ArgoRolloutsVersion } from '../argo/version';
import type { Finding } from '../core/finding';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule } from '../core/gitops';
import { withPrototypes } from '../core/props';
import type { World } from '../core/world';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { CheckedObject } from './checked-object';
import { addChecks, type CheckProps } from './checks';
import { checkProps, inConstruct } from './construct-errors';
import { ArgoGitOps } from './git-ops';

// Loaded on first use, because most programs need only a part of the library.
const albModule = () => require('../argo/alb') as typeof import('../argo/alb');

/** Properties of an `ArgoAlbRollout`. */
export interface ArgoAlbRolloutProps extends ArgoAlbRolloutOptions, CheckProps {
  /**
   * Name, namespace, labels and annotations of the Rollout. The names of Services and Ingresses begin with its name.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerControllerVersion?: AwsLoadBalancerControllerVersion;

  /**
   * The version of Argo Rollouts.
   * @default - the version of the install in this app, or ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;
}

/**
 * A Rollout of Argo Rollouts behind an AWS load balancer: the Rollout, its Services, and the Ingress in which Argo writes
 * weights.
 *
 * One set of props defines all of them, so that they fit each other. What Argo, Kubernetes or AWS would refuse is one error
 * with all problems. The synth checks them together with the objects that they depend on.
 *
 * @example
 * new ArgoAlbRollout(this, 'web', {
 *   template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }] }] } },
 *   replicas: 10,
 *   strategy: ArgoAlbStrategy.canary({
 *     steps: [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(10)), ArgoStep.setWeight(60), ArgoStep.pause()],
 *   }),
 *   ingress: { rules: [{ host: 'shop.example.com' }], scheme: 'internet-facing' },
 * });
 */
export class ArgoAlbRollout extends CheckedObject {
  /**
   * Adds readiness gates to the pods of a namespace: they wait until the load balancer has registered them. For targets of
   * the type `ip`.
   *
   * @param namespace the Namespace, as an ApiObject
   * @example ArgoAlbRollout.injectReadinessGates(namespace)
   */
  static injectReadinessGates(namespace: ApiObject): void {
    if (namespace.kind !== 'Namespace') {
      throw new Error(`${namespace.node.path} is a ${namespace.kind}: readiness gates are a label of the Namespace`);
    }
    for (const [key, value] of Object.entries(albModule().READINESS_GATE_LABELS)) {
      namespace.metadata.addLabel(key, value);
    }
  }

  /** The Rollout itself. */
  readonly apiObject: ApiObject;

  /** The Services that are created with it. */
  readonly services: readonly ApiObject[];

  /** The Ingresses: those that Argo writes to, in its order, then the preview Ingress. */
  readonly ingresses: readonly ApiObject[];

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ArgoAlbRolloutProps,
  ) {
    super(scope, id);
    checkProps(this, props);
    // The names of the other objects begin with the name of the Rollout, which follows from its path in the tree.
    let objects: ArgoAlbObjects | undefined;
    this.apiObject = new ApiObject(this, 'Resource', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: withPrototypes(props.metadata),
      spec: Lazy.any({ produce: () => objects?.rollout.spec }),
    });
    const { name } = this.apiObject;
    const { namespace } = this.apiObject.metadata;
    const own = { name, namespace, annotations: props.metadata?.annotations };
    objects = inConstruct(this, () => albModule().argoAlbObjects(props, own));
    const { annotations = {} } = objects.rollout.metadata;
    for (const [key, value] of Object.entries(annotations)) this.apiObject.metadata.addAnnotation(key, value);
    this.services = objects.services.map((service) => this.add(service));
    this.ingresses = objects.ingresses.map((ingress) => this.add(ingress));
    addChecks(this, props, { further: (world) => this.assumptions(world) });
  }

  private assumptions(world: World): readonly Finding[] {
    const { assumptionFindings } = require('../argo/alb/assumptions') as typeof import('../argo/alb/assumptions');
    const { apiVersion, kind, name } = this.apiObject;
    const { namespace } = this.apiObject.metadata;
    const rollout = world.get({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
    return rollout === undefined ? [] : assumptionFindings(rollout, this.props);
  }

  private add(object: ArgoAlbObjects['services' | 'ingresses'][number]): ApiObject {
    const { name } = object.metadata as { readonly name: string };
    return new ApiObject(this, `${object.kind}-${name}`, object);
  }

  /** The Rollout, its Services and Ingresses as YAML. */
  override toYaml(): string {
    return Yaml.stringify(...[this.apiObject, ...this.services, ...this.ingresses].map((object) => object.toJson()));
  }

  /**
   * `spec.ignoreDifferences` of an Argo CD Application: exactly the fields of these objects that the controller rewrites
   * during a release. docs/argo-alb.md has the sync option that goes with it.
   */
  argoCdIgnoreDifferences(): ArgoCdIgnoreDifferences[] {
    return ArgoGitOps.argoCdIgnoreDifferences(this);
  }

  /**
   * `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease: exactly the fields that the
   * controller rewrites during a release.
   */
  fluxIgnoreRules(): FluxIgnoreRule[] {
    return ArgoGitOps.fluxIgnoreRules(this);
  }
}
