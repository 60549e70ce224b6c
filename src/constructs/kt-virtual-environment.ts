import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { EnvHeader, EnvLabel } from '../ktenv/api';
import { DEFAULT_LABEL } from '../ktenv/api/names';
import { virtualEnvironmentManifest } from '../ktenv/manifests';
import type { KtEnvCheckOptions } from '../ktenv/rules';
import type { CheckProps } from './checks';
import { addEnvLabel } from './ktenv-install';
import { addObject } from './objects';
import { reportFindings } from './report-findings';
import { readWorld } from './world';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const installModule = () => require('../ktenv/install') as typeof import('../ktenv/install');

/** Properties of a `KtVirtualEnvironment`. */
export interface KtVirtualEnvironmentProps extends KtEnvCheckOptions, Pick<CheckProps, 'warnings'> {
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
 *   envLabel: { defaultSubset: 'dev' },
 *   istioVersion: '1.24',
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
    const metadata = { namespace, ...(props.name === undefined ? {} : { name: props.name }) };
    this.resource = new ApiObject(this, 'Resource', virtualEnvironmentManifest(props, metadata));
    this.name = this.resource.name;
    addEnvLabel(this, props.envLabel?.name ?? DEFAULT_LABEL);
    if (props.operator ?? true) {
      const image = props.operatorImage === undefined ? {} : { image: props.operatorImage };
      for (const object of installModule().ktenvOperator({ namespace, ...image })) {
        addObject(this, `Operator-${String(object.kind)}`, object as never);
      }
    }
    this.node.addValidation({ validate: () => reportFindings(this.findings(), props, this) });
  }

  /** What the checks find in the namespace as the app is now, accepted findings left out; errors first. */
  findings(): readonly Finding[] {
    // Loaded here, because an app that only composes its tree should not pay for schemas and rules.
    const { findingsOfEnvironment } = require('../ktenv/check') as typeof import('../ktenv/check');
    return findingsOfEnvironment(readWorld(this.node.root), this.resource.metadata.namespace!, this.props);
  }
}
