import { ApiObject, type ApiObjectProps } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Suppression } from '../core/suppression';
import type { LuaScripts } from '../files/scripts/lua-scripts';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../kruise/api/names';
import type { RoutingConfigMapOptions } from '../kruise/scripts/config-map';
import type { RoutingScript } from '../kruise/scripts/library';
import type { KruiseRolloutVersion } from '../kruise/version';
import { type CheckProps, provesScripts } from './checks';
import { checkProps } from './construct-errors';
import { addReporter, addToReport } from './report-file';
import { reportFindings } from './report-findings';

// Loaded on first use, because most programs need only a part of the library.
const configMapModule = () => require('../kruise/scripts/config-map') as typeof import('../kruise/scripts/config-map');

/** Properties of a `LuaRoutingConfigMap`. */
export interface LuaRoutingConfigMapProps extends RoutingConfigMapOptions, Pick<CheckProps, 'warnings'> {
  /** The scripts: of the library, of a folder, or inline. */
  readonly scripts: readonly LuaScripts[];

  /**
   * The release of the controller that will read the scripts; what it has built in and how it runs scripts depends on it.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;

  /**
   * Findings that are accepted, each with the reason. A suppression that matches nothing is itself a finding.
   * @default - none
   */
  readonly suppressions?: readonly Pick<Suppression, 'rule' | 'reason'>[];
}

/**
 * The ConfigMap `kruise-rollout-configuration`, from which the Kruise Rollouts controller reads its routing scripts.
 *
 * The synth parses and checks every script, and runs it against its testdata as the controller would. It fails with all
 * findings. The controller reads the ConfigMap at every reconcile and needs no restart after a change.
 *
 * @example
 * new LuaRoutingConfigMap(this, 'LuaScripts', {
 *   scripts: [LuaScripts.fromLibrary('aws-alb'), LuaScripts.fromFolder('./lua_configuration')],
 * });
 */
export class LuaRoutingConfigMap extends Construct {
  /** The name of the ConfigMap, which the controller expects. */
  readonly name: string;

  /** The controller's namespace. */
  readonly namespace: string;

  /** The ConfigMap's keys, sorted. */
  readonly keys: readonly string[];

  /**
   * A digest of all scripts, for an annotation of a pod template: it shows with which scripts a Deployment was rolled out.
   * The controller does not need it.
   */
  readonly checksum: string;

  private readonly scripts: readonly RoutingScript[];

  constructor(
    scope: Construct,
    id: string,
    private readonly props: LuaRoutingConfigMapProps,
  ) {
    super(scope, id);
    checkProps(this, props);
    this.namespace = props.namespace ?? DEFAULT_CONTROLLER_NAMESPACE;
    this.scripts = props.scripts.flatMap(({ scripts }) => scripts);
    this.checksum = configMapModule().routingChecksum(this.scripts);

    const manifest = configMapModule().routingConfigMap(this.scripts, this.namespace, props);
    this.name = manifest.metadata.name;
    this.keys = Object.keys(manifest.data);
    new ApiObject(this, 'Resource', manifest as ApiObjectProps);
    provesScripts(this, () => this.findings());
    addReporter(this, () => this.validateScripts());
  }

  /** All findings in the scripts, without suppressed ones; errors first. */
  findings(): readonly Finding[] {
    // Loaded on first use, because an app without a synth needs no interpreter and no YAML reader.
    const { proveScripts } = require('../files/scripts/proof') as typeof import('../files/scripts/proof');
    const { scriptStoreOfProcess } =
      require('../files/cache/script-store') as typeof import('../files/cache/script-store');
    const { kruiseVersion: version, suppressions } = this.props;
    const store = scriptStoreOfProcess();
    return proveScripts(this.scripts, { namespace: this.namespace, version, suppressions, store }).findings.map(
      (finding) => ({
        ...finding,
        construct: this.node.path,
      }),
    );
  }

  private validateScripts(): string[] {
    const sources = new Map(this.scripts.map(({ file, source }) => [file, source]));
    const findings = this.findings();
    addToReport(this, { findings, warnings: this.props.warnings });
    return reportFindings(findings, { warnings: this.props.warnings, sources }, this);
  }
}
