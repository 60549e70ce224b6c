import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { EnvHeader, EnvLabel } from '../ktenv/api';
import { DEFAULT_LABEL } from '../ktenv/api/names';
import { addChecks } from './checks';
import type { KtEnvCheckProps } from './ktenv-checks';
import { addEnvLabel } from './ktenv-install';
import { addObject } from './objects';
import { stackOf } from './stack';
import { readWorld } from './world';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const manifestsModule = () => require('../ktenv/manifests') as typeof import('../ktenv/manifests');
const installModule = () => require('../ktenv/install') as typeof import('../ktenv/install');

/** Properties of a `KtVirtualEnvironment`. */
export interface KtVirtualEnvironmentProps extends KtEnvCheckProps {
  /**
   * The namespace; there can be one VirtualEnvironment in it.
   * @default - that of the chart
   */
  readonly namespace?: string;
  /**
   * The name of the VirtualEnvironment, and of the EnvoyFilter with `autoInject`.
   * @default - made from the path of the construct
   */
  readonly name?: string;
  /**
   * The header by which requests name their environment.
   * @default - X-Virtual-Env
   */
  readonly envHeader?: EnvHeader;
  /**
   * The label by which pods name their environment, and the environment that answers the rest.
   * @default - virtual-env, levels separated by dots, and no default environment
   */
  readonly envLabel?: EnvLabel;
  /**
   * Environments that requests will name although no workload need carry them, as those of developers who run one
   * service of their own. Each is checked to reach what it says, and shown by `rollout-constructs env preview`, which
   * reads them from the annotation `rollout-constructs.io/environments`.
   * @default - those that workloads carry
   */
  readonly environments?: readonly string[];
  /**
   * Whether the Namespace is written too, with the labels that sidecars and tags need. One that is made elsewhere gets
   * them by `labelNamespace`.
   * @default false
   */
  readonly createNamespace?: boolean;
  /**
   * The revision of Istio whose sidecars the pods of the namespace get.
   * @default - the one without a revision, by istio-injection: enabled
   */
  readonly istioRevision?: string;
  /**
   * Whether the webhook puts the environment of a pod into its sidecar, where an EnvoyFilter finds it.
   * @default - true with envHeader.autoInject, else false
   */
  readonly tagInjection?: boolean;
  /**
   * The operator of the namespace: written too, or installed by other means.
   * @default true
   */
  readonly operator?: boolean;
  /**
   * The image of the operator.
   * @default - the release 0.6.0 of upstream
   */
  readonly operatorImage?: string;
}

/**
 * The virtual environments of one namespace, and the operator that routes them. At synth, the Services and workloads of
 * the namespace are checked: whatever the operator would route elsewhere than the labels say fails.
 *
 * @example
 * new KtVirtualEnvironment(this, 'Environments', {
 *   namespace: 'shop',
 *   createNamespace: true,
 *   envLabel: { defaultSubset: 'dev' },
 *   istioVersion: '1.24',
 *   suppressions: [{ rule: 'ktenv-header-propagation', reason: 'every app copies the header' }],
 * });
 */
export class KtVirtualEnvironment extends Construct {
  /** The name of the VirtualEnvironment. */
  readonly name: string;
  private readonly resource: ApiObject;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: KtVirtualEnvironmentProps = {},
  ) {
    super(scope, id);
    const namespace = props.namespace ?? Chart.of(this).namespace;
    if (namespace === undefined) {
      throw new Error(
        `${this.node.path}: no namespace; give one here or to the chart, as the operator serves just one`,
      );
    }
    // It has to be there before what is in it, and objects are applied in the order in which they are made.
    if (props.createNamespace ?? false) {
      addObject(this, 'Namespace', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: this.namespaceLabels },
      });
    }
    const metadata = { namespace, ...(props.name === undefined ? {} : { name: props.name }) };
    this.resource = new ApiObject(this, 'Resource', manifestsModule().virtualEnvironmentManifest(props, metadata));
    this.name = this.resource.name;
    addEnvLabel(this, props.envLabel?.name ?? DEFAULT_LABEL);
    if (props.operator ?? true) {
      const image = props.operatorImage === undefined ? {} : { image: props.operatorImage };
      for (const object of installModule().ktenvOperator({ namespace, ...image })) {
        addObject(this, `Operator-${String(object.kind)}`, object as never);
      }
    }
    addChecks(this, props);
  }

  /** The labels that the Namespace needs. */
  get namespaceLabels(): Readonly<Record<string, string>> {
    return manifestsModule().environmentNamespaceLabels(this.props);
  }

  /**
   * Puts the labels that sidecars and tags need on a Namespace of this app.
   *
   * @param namespace the Namespace that the environments are in
   * @example environments.labelNamespace(namespace)
   */
  labelNamespace(namespace: ApiObject): void {
    const own = this.resource.metadata.namespace!;
    if (namespace.kind !== 'Namespace' || namespace.name !== own) {
      throw new Error(
        `${this.node.path}: ${namespace.kind} "${namespace.name}" is not the Namespace "${own}" that the environments are in`,
      );
    }
    for (const [label, value] of Object.entries(this.namespaceLabels)) namespace.metadata.addLabel(label, value);
  }

  /**
   * What the checks of KtEnv find in the namespace as the app is now, whoever made the objects; accepted findings left
   * out, errors first.
   */
  findings(): readonly Finding[] {
    // Loaded here, because an app that only composes its tree should not pay for schemas and rules.
    const { findingsOfEnvironment } = require('../ktenv/check') as typeof import('../ktenv/check');
    const { istioVersion, external, suppressions = [] } = this.props;
    return findingsOfEnvironment(readWorld(stackOf(this)), this.resource.metadata.namespace!, {
      ...(istioVersion === undefined ? {} : { istioVersion }),
      ...(external === undefined ? {} : { external }),
      suppressions: suppressions.map((one) => (one.object === undefined ? { ...one, construct: this.node.path } : one)),
    });
  }
}
