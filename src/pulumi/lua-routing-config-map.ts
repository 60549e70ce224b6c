import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { LuaScripts } from '../files/scripts/lua-scripts';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../kruise/api/names';
import {
  ROUTING_CONFIG_MAP_PROPS,
  type RoutingConfigMapOptions,
  routingChecksum,
  routingConfigMap,
} from '../kruise/scripts/config-map';
import type { KruiseRolloutVersion } from '../kruise/version';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs } from './inputs';

/** Arguments of a `LuaRoutingConfigMap`. */
export interface LuaRoutingConfigMapArgs
  extends Inputs<Omit<RoutingConfigMapOptions, 'scripts'>>,
    Pick<CheckArgs, 'suppressions' | 'warnings'> {
  /** The scripts: of the library, of a folder, or inline. */
  readonly scripts: readonly LuaScripts[];

  /**
   * The release of the controller that will read the scripts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;

  /**
   * Resources that are created first, such as the namespace.
   * @default - none
   */
  readonly after?: readonly pulumi.Resource[];
}

/**
 * The ConfigMap `kruise-rollout-configuration`, from which the Kruise Rollouts controller reads its routing scripts. The
 * program parses and checks every script, and runs it against its testdata; a script that fails stops the program.
 *
 * @example new LuaRoutingConfigMap('scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
 */
export class LuaRoutingConfigMap extends KubernetesComponent {
  /** The name of the ConfigMap, which the controller expects. */
  readonly name: pulumi.Output<string>;

  /** The controller's namespace. */
  readonly namespace: pulumi.Output<string>;

  /** The ConfigMap's keys, sorted. */
  readonly keys: readonly string[];

  /** A digest of all scripts, for an annotation of a pod template. */
  readonly checksum: string;

  constructor(name: string, args: LuaRoutingConfigMapArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('LuaRoutingConfigMap', name, args);
    const {
      namespace = DEFAULT_CONTROLLER_NAMESPACE,
      kruiseVersion: version,
      suppressions,
      warnings,
      after = [],
    } = args;
    const scriptsOf = ({ scripts }: Pick<RoutingConfigMapOptions, 'scripts'>) =>
      scripts.flatMap((each) => each.scripts);
    const objects = new ComponentObjects<RoutingConfigMapOptions>({
      type: 'LuaRoutingConfigMap',
      name,
      args,
      props: ROUTING_CONFIG_MAP_PROPS,
      describe: (plain) => [routingConfigMap(scriptsOf(plain), plain.namespace, plain)],
      findings: (): readonly Finding[] => {
        // Loaded on first use: it loads an interpreter and a YAML reader.
        const { proveScripts } = require('../files/scripts/proof') as typeof import('../files/scripts/proof');
        const { scriptStoreOfProcess } =
          require('../files/cache/script-store') as typeof import('../files/cache/script-store');
        const store = scriptStoreOfProcess();
        const construct = `LuaRoutingConfigMap:${name}`;
        return proveScripts(scriptsOf(args), { version, suppressions, store }).findings.map((finding) => ({
          ...finding,
          construct,
        }));
      },
    });
    super({ objects, facts: { warnings, provesScripts: true }, after }, options);
    this.name = nameOfResource(this.resources[0]!);
    this.namespace = pulumi.output(namespace);
    this.keys = Object.keys(objects.objects[0]!.data as object);
    this.checksum = routingChecksum(scriptsOf(args));
    this.registerOutputs({ name: this.name, namespace: this.namespace });
  }
}
