import { readFileSync } from 'node:fs';
import type { RoutingScript, ScriptSet } from '../../kruise/scripts/library';

// Loaded on first use, because most programs need only a part of this library.
const configMapModule = () =>
  require('../../kruise/scripts/config-map') as typeof import('../../kruise/scripts/config-map');
const namesModule = () => require('../../kruise/scripts/library') as typeof import('../../kruise/scripts/library');
const libraryModule = () => require('./library') as typeof import('./library');

/**
 * A script that this package ships: an Ingress class, or a kind with its API group.
 * docs/scripts.md describes what each script supports.
 */
export type ShippedScript =
  | 'aliyun-alb'
  | 'aws-alb'
  | 'ApisixRoute.apisix.apache.org'
  | 'HTTPProxy.projectcontour.io'
  | 'Ingress.networking.k8s.io'
  | 'IngressRoute.traefik.io'
  | 'MeshHTTPRoute.kuma.io'
  | 'TraefikService.traefik.io'
  | 'TrafficRoute.kuma.io';

/** A ConfigMap, or what holds its data. */
export interface ConfigMapData {
  /** The scripts by name, with a test of each. */
  readonly data?: unknown;
}

/**
 * Routing scripts from this package, a folder, a file or a string.
 *
 * @example
 * LuaScripts.fromLibrary('aws-alb');
 * LuaScripts.fromFolder('./lua_configuration');
 * LuaScripts.inline('ingress.my-class', 'return obj.annotations');
 */
export class LuaScripts implements ScriptSet {
  /** Scripts that this package ships. Tests cover each of them completely. */
  static fromLibrary(...names: ShippedScript[]): LuaScripts {
    return new LuaScripts(names.map(shipped));
  }

  /**
   * All scripts of a folder in upstream's layout, with their testdata: `trafficrouting_ingress/<classType>.lua` and
   * `<group>/<Kind>/trafficRouting.lua`. A relative path starts at the working directory.
   */
  static fromFolder(folder: string): LuaScripts {
    return new LuaScripts(libraryModule().readScriptLibrary(folder).scripts);
  }

  /**
   * One script from a file outside a library, without testdata.
   * @param name `ingress.<classType>` or `<Kind>.<group>`
   */
  static fromFile(name: string, file: string): LuaScripts {
    return new LuaScripts([named(name, file, textOf(name, file))]);
  }

  /**
   * One script given as a string, without testdata.
   * @param name `ingress.<classType>` or `<Kind>.<group>`
   */
  static inline(name: string, source: string): LuaScripts {
    return new LuaScripts([named(name, `<inline ${name}>`, source)]);
  }

  /** All scripts that this package ships. */
  static library(): LuaScripts {
    return new LuaScripts(libraryModule().shippedScripts().scripts);
  }

  /** The scripts in the ConfigMap `kruise-rollout-configuration` of a cluster, without testdata. */
  static fromConfigMap(configMap: ConfigMapData): LuaScripts {
    return new LuaScripts(
      configMapModule()
        .scriptsIn(configMap.data)
        .map(({ script }) => script),
    );
  }

  private constructor(
    /** The scripts, in the order given. */
    readonly scripts: readonly RoutingScript[],
  ) {}
}

function shipped(name: ShippedScript): RoutingScript {
  const { scripts } = libraryModule().shippedScripts();
  // The type lists the names, and a test holds that list against the library.
  return scripts.find((candidate) => shortName(candidate) === name)!;
}

function shortName({ target }: RoutingScript): string {
  return target.provider === 'ingress' ? target.classType : namesModule().scriptName(target);
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read the script of "${name}": ${(error as Error).message}`);
  }
}

function named(name: string, file: string, source: string): RoutingScript {
  const target = configMapModule().targetOfName(name);
  if (!target) {
    throw new Error(
      `"${name}" is not the name of a routing script: write "ingress.<classType>" for the Ingresses of a class ` +
        'or "<Kind>.<group>" for the objects of a kind, for example "HTTPProxy.projectcontour.io"',
    );
  }
  return { target, name: namesModule().scriptName(target), file, source };
}
