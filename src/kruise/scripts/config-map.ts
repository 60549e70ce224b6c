import { utf8Length } from '../../core/bytes';
import type { Finding, ObjectRef } from '../../core/finding';
import { asObject } from '../../core/json';
import type { PropTable } from '../../core/props';
import { findingOf } from '../../core/rule';
import { sha256Hex } from '../../core/sha256';
import { CUSTOM_SCRIPT_KEY_PREFIX, DEFAULT_CONTROLLER_NAMESPACE, LUA_CONFIG_MAP_NAME } from '../api';
import { KruiseRolloutVersion } from '../version';
import { configMapRules } from './config-map-rules';
import { type RoutingScript, type ScriptSet, type ScriptTarget, scriptName } from './library';
import { customScriptKey, ingressScriptKey } from './lookup';

/** The ConfigMap from which the controller reads routing scripts. */
export interface RoutingConfigMap {
  readonly apiVersion: 'v1';
  readonly kind: 'ConfigMap';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data: Readonly<Record<string, string>>;
}

/** Labels and annotations of the ConfigMap. */
export interface RoutingConfigMapMarks {
  /**
   * Labels of the ConfigMap.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Annotations of the ConfigMap.
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The options of the ConfigMap. */
export interface RoutingConfigMapOptions extends RoutingConfigMapMarks {
  /** The scripts: of the library, of a folder, or inline. */
  readonly scripts: readonly ScriptSet[];

  /**
   * The namespace in which the Kruise Rollouts controller runs. It looks for the ConfigMap nowhere else.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
}

/** The same at run time. */
export const ROUTING_CONFIG_MAP_PROPS: PropTable<RoutingConfigMapOptions> = {
  scripts: true,
  namespace: true,
  labels: true,
  annotations: true,
};

/** The API server's limit for all values of a ConfigMap combined. */
const MAX_BYTES = 1_048_576;

/** `kubectl apply` stores a copy of the whole object in an annotation, and all annotations share 256 KiB. */
const MAX_APPLIED_BYTES = 262_144;

/** Warn above this share of a limit. */
const NEAR = 0.9;

/** The key under which the controller looks for the script of a target. */
function scriptKey(target: ScriptTarget): string {
  return target.provider === 'ingress'
    ? ingressScriptKey(target.classType)
    : customScriptKey({ apiVersion: target.group, kind: target.kind });
}

/**
 * The target that the end of a key names: `ingress.aws-alb`, `HTTPProxy.projectcontour.io`.
 * Undefined if the controller never looks up such a key.
 */
export function targetOfName(name: string): ScriptTarget | undefined {
  const [first, ...rest] = name.split('.');
  const remainder = rest.join('.');
  if (first === '' || remainder === '') return undefined;
  return first === 'ingress'
    ? { provider: 'ingress', classType: remainder }
    : { provider: 'custom', kind: first, group: remainder };
}

/** The scripts in the data of a ConfigMap, with their keys. */
export function scriptsIn(data: unknown): { readonly key: string; readonly script: RoutingScript }[] {
  return Object.entries(asObject(data)).flatMap(([key, source]) => {
    if (typeof source !== 'string' || !key.startsWith(CUSTOM_SCRIPT_KEY_PREFIX)) return [];
    const target = targetOfName(key.slice(CUSTOM_SCRIPT_KEY_PREFIX.length));
    return target === undefined ? [] : [{ key, script: { target, name: scriptName(target), file: key, source } }];
  });
}

/** The ConfigMap with one entry per script, sorted by key, with Unix line endings. */
export function routingConfigMap(
  scripts: readonly RoutingScript[],
  namespace: string = DEFAULT_CONTROLLER_NAMESPACE,
  { labels = {}, annotations = {} }: RoutingConfigMapMarks = {},
): RoutingConfigMap {
  const entries = scripts.map((script) => [scriptKey(script.target), script.source.replace(/\r\n/g, '\n')] as const);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: LUA_CONFIG_MAP_NAME,
      namespace,
      ...(isEmpty(labels) ? {} : { labels: { ...labels } }),
      ...(isEmpty(annotations) ? {} : { annotations: { ...annotations } }),
    },
    data: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function isEmpty(entries: Readonly<Record<string, string>>): boolean {
  return Object.keys(entries).length === 0;
}

/** A digest of the scripts that does not depend on their order. */
export function routingChecksum(scripts: readonly RoutingScript[]): string {
  const { data } = routingConfigMap(scripts);
  return sha256Hex(JSON.stringify(data));
}

/** Checks the ConfigMap as a whole; `checkScript` checks the scripts themselves. */
export function checkRoutingConfigMap(
  scripts: readonly RoutingScript[],
  namespace: string = DEFAULT_CONTROLLER_NAMESPACE,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): Finding[] {
  const object: ObjectRef = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: LUA_CONFIG_MAP_NAME };
  return [
    ...scripts.flatMap((script) => [
      ...invalidKey(script, object),
      ...shadowed(script, object, version),
      ...empty(script, object),
    ]),
    ...duplicates(scripts, object),
    ...tooLarge(scripts, object),
  ];
}

function invalidKey(script: RoutingScript, object: ObjectRef): Finding[] {
  const key = scriptKey(script.target);
  const problem = keyProblem(script.target, key);
  if (!problem) return [];
  return [
    findingOf(configMapRules['lua-script-key-invalid'], {
      message: `the key "${key}" ${problem}`,
      object,
      ...place(script, key),
    }),
  ];
}

function keyProblem(target: ScriptTarget, key: string): string | undefined {
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    return 'has invalid characters: a ConfigMap key may hold letters, digits, "-", "_" and "."';
  }
  if (key.length > 253) return `is ${key.length} characters long; 253 are allowed`;
  if (target.provider === 'ingress') return undefined;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(target.kind))
    return `names the kind "${target.kind}", but a kind starts with a capital letter`;
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(target.group)) {
    return `names the invalid API group "${target.group}" (write for example "projectcontour.io", without "/v1")`;
  }
  return undefined;
}

/** Whether the controller never runs the script: it is empty, or a built-in script takes precedence. */
export function isNeverRun(script: RoutingScript, version: KruiseRolloutVersion): boolean {
  return script.source.trim() === '' || isShadowed(script, version);
}

function isShadowed({ target, name }: RoutingScript, { facts }: KruiseRolloutVersion): boolean {
  return target.provider === 'custom' && facts.builtinCustomScripts.includes(name);
}

function shadowed(script: RoutingScript, object: ObjectRef, version: KruiseRolloutVersion): Finding[] {
  if (!isShadowed(script, version)) return [];
  const key = scriptKey(script.target);
  const message = `Kruise Rollouts ${version} has a built-in script for ${script.name} and never reads "${key}"`;
  return [findingOf(configMapRules['lua-script-shadowed'], { message, object, ...place(script, key) })];
}

function empty(script: RoutingScript, object: ObjectRef): Finding[] {
  if (script.source.trim() !== '') return [];
  const key = scriptKey(script.target);
  return [
    findingOf(configMapRules['lua-script-empty'], {
      message: `the script under "${key}" is empty`,
      object,
      ...place(script, key),
    }),
  ];
}

function duplicates(scripts: readonly RoutingScript[], object: ObjectRef): Finding[] {
  const first = new Map<string, RoutingScript>();
  return scripts.flatMap((script) => {
    const key = scriptKey(script.target);
    const other = first.get(key);
    if (!other) {
      first.set(key, script);
      return [];
    }
    return [
      findingOf(configMapRules['lua-script-duplicate'], {
        message: `there are two scripts for "${key}"`,
        object,
        ...place(script, key),
        related: { message: 'the first one is here', source: startOf(other) },
      }),
    ];
  });
}

function tooLarge(scripts: readonly RoutingScript[], object: ObjectRef): Finding[] {
  const bytes = Object.values(routingConfigMap(scripts).data).reduce((sum, text) => sum + utf8Length(text), 0);
  const size = `the scripts take ${bytes} bytes`;
  if (bytes > MAX_BYTES) {
    return [
      findingOf(configMapRules['lua-config-map-too-large'], {
        message: `${size}, more than the limit of ${MAX_BYTES}`,
        object,
        path: 'data',
      }),
    ];
  }
  if (bytes > MAX_BYTES * NEAR) {
    const message = `${size}, close to the limit of ${MAX_BYTES}`;
    return [
      findingOf(configMapRules['lua-config-map-too-large'], { message, object, path: 'data', severity: 'warning' }),
    ];
  }
  if (bytes > MAX_APPLIED_BYTES * NEAR) {
    return [
      findingOf(configMapRules['lua-config-map-too-large'], {
        message: `${size}; client-side "kubectl apply" cannot store its copy of an object above ${MAX_APPLIED_BYTES} bytes`,
        because:
          'kubectl apply stores the whole object in an annotation, and the annotations of an object may take 256 KiB in total',
        fix: 'run "kubectl apply --server-side", or remove scripts that no Rollout uses',
        object,
        path: 'data',
        severity: 'warning',
      }),
    ];
  }
  return [];
}

function place(script: RoutingScript, key: string): Pick<Finding, 'path' | 'source'> {
  return { path: `data["${key}"]`, source: startOf(script) };
}

function startOf(script: RoutingScript): Finding['source'] {
  return { file: script.file, line: 1, column: 1 };
}
