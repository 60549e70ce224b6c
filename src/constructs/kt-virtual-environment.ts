import { type ApiObject, type ApiObjectProps, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import { compact } from '../core/json';
import { DEFAULT_LABEL } from '../ktenv/api/names';
import type { VirtualEnvironmentOptions } from '../ktenv/manifests';
import { addChecks, findingsOfStack } from './checks';
import { checkProps, inConstruct } from './construct-errors';
import type { KtEnvCheckProps } from './ktenv-checks';
import { addEnvLabel } from './ktenv-install';
import { addObject } from './objects';

// Loaded on first use, because most programs need only a part of the library.
const manifestsModule = () => require('../ktenv/manifests') as typeof import('../ktenv/manifests');

/** Properties of a `KtVirtualEnvironment`. */
export interface KtVirtualEnvironmentProps extends VirtualEnvironmentOptions, KtEnvCheckProps {
  /**
   * The namespace. It has at most one VirtualEnvironment.
   * @default - the namespace of the chart
   */
  readonly namespace?: string;
  /**
   * The name of the VirtualEnvironment, and of the EnvoyFilter with `autoInject`.
   * @default - a name made of the construct's path
   */
  readonly name?: string;
}

/**
 * The virtual environments of one namespace, and the operator that routes them. The synth checks the Services and workloads
 * of the namespace, and fails if the operator would route a request to another environment than the labels say.
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
    checkProps(this, props);
    const namespace = props.namespace ?? Chart.of(this).namespace;
    if (namespace === undefined) {
      throw new Error(
        `${this.node.path}: no namespace; give one here or to the chart, as the operator serves just one`,
      );
    }
    const metadata = compact({ namespace, name: props.name });
    const objects = inConstruct(this, () => manifestsModule().virtualEnvironmentObjects(props, metadata));
    const resources = objects.map((object) => addObject(this, idOf(String(object.kind)), object as ApiObjectProps));
    this.resource = resources.find(({ kind }) => kind === 'VirtualEnvironment')!;
    this.name = this.resource.name;
    addEnvLabel(this, props.envLabel?.name ?? DEFAULT_LABEL);
    addChecks(this, props);
  }

  /** The labels that the Namespace needs. */
  get namespaceLabels(): Readonly<Record<string, string>> {
    return manifestsModule().environmentNamespaceLabels(this.props);
  }

  /**
   * Adds the labels that sidecars and tags need to a Namespace of this app.
   *
   * @param namespace the Namespace of the environments
   * @example environments.labelNamespace(namespace)
   */
  labelNamespace(namespace: ApiObject): void {
    const own = this.resource.metadata.namespace!;
    if (namespace.kind !== 'Namespace' || namespace.name !== own) {
      throw new Error(
        `${this.node.path}: ${namespace.kind} "${namespace.name}" is not the Namespace "${own}" of the environments`,
      );
    }
    for (const [label, value] of Object.entries(this.namespaceLabels)) namespace.metadata.addLabel(label, value);
  }

  /**
   * The findings of KtEnv's checks in the namespace in the app as it is now, in all of its objects, without suppressed
   * ones; errors first.
   */
  findings(): readonly Finding[] {
    // Loaded here: an app that only composes its tree should not pay for schemas and rules.
    const { isAboutEnvironments, isInNamespace } = require('../check') as typeof import('../check');
    const namespace = this.resource.metadata.namespace!;
    return findingsOfStack(this).filter((one) => isAboutEnvironments(one) && isInNamespace(one, namespace));
  }
}

/** The VirtualEnvironment is the main object. */
function idOf(kind: string): string {
  if (kind === 'VirtualEnvironment') return 'Resource';
  return kind === 'Namespace' ? kind : `Operator-${kind}`;
}
