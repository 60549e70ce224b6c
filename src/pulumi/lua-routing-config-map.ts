import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../kruise/api/names';
import { type RoutingConfigMapMarks, routingChecksum, routingConfigMap } from '../kruise/scripts/config-map';
import type { RoutingScript } from '../kruise/scripts/library';
import type { LuaScripts } from '../kruise/scripts/lua-scripts';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { Drawing } from './drawing';
import type { Inputs } from './inputs';

/** Arguments of a `LuaRoutingConfigMap`. */
export interface LuaRoutingConfigMapArgs
  extends Inputs<RoutingConfigMapMarks>,
    Pick<CheckArgs, 'suppressions' | 'warnings'> {
  /** The scripts: of the library, of a folder, or inline. */
  readonly scripts: readonly LuaScripts[];

  /**
   * The namespace in which the Kruise Rollouts controller runs. It looks for the ConfigMap nowhere else.
   * @default 'kruise-rollout'
   */
  readonly namespace?: pulumi.Input<string>;

  /**
   * The release of the controller that will read the scripts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;

  /**
   * Resources that have to be there first, as the namespace.
   * @default - none
   */
  readonly after?: readonly pulumi.Resource[];
}

interface Options extends RoutingConfigMapMarks {
  readonly scripts: readonly RoutingScript[];
  readonly namespace?: string;
}

/**
 * The ConfigMap `kruise-rollout-configuration`, from which the Kruise Rollouts controller reads its routing scripts. Every
 * script is parsed, checked, and run against its testdata when the program runs; one that fails ends the program.
 *
 * @example new LuaRoutingConfigMap('scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
 */
export class LuaRoutingConfigMap extends KubernetesComponent {
  /** The ConfigMap's name, which the controller has built in. */
  readonly name: pulumi.Output<string>;

  /** The controller's namespace. */
  readonly namespace: pulumi.Output<string>;

  /** The ConfigMap's keys, sorted. */
  readonly keys: readonly string[];

  /** A digest of all scripts, for an annotation on a pod template. */
  readonly checksum: string;

  constructor(name: string, args: LuaRoutingConfigMapArgs, options?: pulumi.ComponentResourceOptions) {
    const { scripts, version, suppressions, warnings, after, ...rest } = args;
    const all = scripts.flatMap((each) => each.scripts);
    const { namespace = DEFAULT_CONTROLLER_NAMESPACE } = rest;
    const drawing = new Drawing<Options>({
      type: 'LuaRoutingConfigMap',
      name,
      options: { ...rest, scripts: all },
      draw: (plain) => [routingConfigMap(plain.scripts, plain.namespace, plain)],
      findings: (): readonly Finding[] => {
        // Loaded here: it brings an interpreter and a YAML reader.
        const { proveScripts } = require('../kruise/scripts/proof') as typeof import('../kruise/scripts/proof');
        const construct = `LuaRoutingConfigMap:${name}`;
        return proveScripts(all, { version, suppressions }).findings.map((finding) => ({ ...finding, construct }));
      },
    });
    super({ drawing, facts: { warnings, provesScripts: true }, ...(after && { after }) }, options);
    this.name = nameOfResource(this.resources[0]!);
    this.namespace = pulumi.output(namespace);
    this.keys = Object.keys(drawing.objects[0]!.data as object);
    this.checksum = routingChecksum(all);
    this.registerOutputs({ name: this.name, namespace: this.namespace });
  }
}
