import { readFileSync } from 'node:fs';
import { didYouMean } from '../../core/did-you-mean';
import { typeName } from '../../core/json';
import type { RoutingScript } from './library';

// Loaded at the first use, because most of what loads this library needs only a part of it.
const configMapModule = () => require('./config-map') as typeof import('./config-map');
const libraryModule = () => require('./library') as typeof import('./library');

/**
 * A script that this package ships: an Ingress class, or a kind with its API group.
 * docs/scripts.md tells what each supports.
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

/**
 * Where routing scripts come from: the library of this package, a folder, a file, or the program itself.
 *
 * @example
 * LuaScripts.fromLibrary('aws-alb');
 * LuaScripts.fromFolder('./lua_configuration');
 * LuaScripts.inline('ingress.my-class', 'return obj.annotations');
 */
export class LuaScripts {
  /** Scripts of this package, each tested with full coverage. */
  static fromLibrary(...names: ShippedScript[]): LuaScripts {
    return new LuaScripts(names.map(shipped));
  }

  /**
   * Every script of a folder in upstream's layout, with its testdata: `trafficrouting_ingress/<classType>.lua` and
   * `<group>/<Kind>/trafficRouting.lua`. Paths are relative to the working folder.
   */
  static fromFolder(folder: string): LuaScripts {
    return new LuaScripts(libraryModule().readScriptLibrary(folder).scripts);
  }

  /**
   * One script from a file outside of any library, without testdata.
   * @param name `ingress.<classType>` or `<Kind>.<group>`
   */
  static fromFile(name: string, file: string): LuaScripts {
    return new LuaScripts([named(name, file, textOf(name, file))]);
  }

  /**
   * One script that the program holds itself, without testdata.
   * @param name `ingress.<classType>` or `<Kind>.<group>`
   */
  static inline(name: string, source: string): LuaScripts {
    return new LuaScripts([named(name, `<inline ${name}>`, source)]);
  }

  private constructor(
    /** The scripts, in the order given. */
    readonly scripts: readonly RoutingScript[],
  ) {}
}

function shipped(name: ShippedScript): RoutingScript {
  const { scripts } = libraryModule().packagedScripts();
  const script = scripts.find((candidate) => shortName(candidate) === name);
  if (script) return script;
  const names = scripts.map(shortName);
  const meant = didYouMean(name, names);
  throw new Error(
    `no script "${name}" in the library${meant ? `: did you mean "${meant}"?` : ''}; there are ${names.join(', ')}`,
  );
}

function shortName({ target }: RoutingScript): string {
  return target.provider === 'ingress' ? target.classType : libraryModule().scriptName(target);
}

function textOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read the script of "${name}": ${(error as Error).message}`);
  }
}

function named(name: string, file: string, source: string): RoutingScript {
  // A program in JavaScript may pass anything, such as what a file that was not awaited holds.
  if (typeof source !== 'string') throw new Error(`the script of "${name}" is ${typeName(source)}, not a string`);
  const target = configMapModule().targetOfName(name);
  if (!target) {
    throw new Error(
      `"${name}" names no routing script: write "ingress.<classType>" for the Ingresses of a class ` +
        'or "<Kind>.<group>" for the objects of a kind, as in "HTTPProxy.projectcontour.io"',
    );
  }
  return { target, name: libraryModule().scriptName(target), file, source };
}
