import { tagOf } from '../../../core/image-tag';
import { asList, asObject, isJsonObject, type JsonObject, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { Path } from '../../../core/path';
import { nearestVersion, parseVersionNumber } from '../../../core/version-number';
import type { World } from '../../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../../api/names';
import { KruiseRolloutVersion } from '../../version';
import { CONTROLLER_NAME, DEFAULT_METRICS_PORT, DEFAULT_WEBHOOK_PORT, WEBHOOK_SERVICE_NAME } from '../names';

/** A flag of the controller, with its path. */
export interface ProcessFlag {
  readonly name: string;
  /** Empty if the flag has no value. */
  readonly value: string;
  readonly path: Path;
}

/** An environment variable of the controller. */
export interface ProcessVariable {
  /** Undefined if the value comes from a Secret, a ConfigMap or a field. */
  readonly value: string | undefined;
  /** `metadata.namespace` */
  readonly field: string | undefined;
  readonly path: Path;
}

/** A Deployment of the controller, read for the checks. */
export interface Controller {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly podLabels: JsonObject;
  readonly podAnnotations: JsonObject;
  readonly replicas: number;
  readonly container: JsonObject;
  readonly containerPath: Path;
  readonly serviceAccountName: string;
  readonly flags: readonly ProcessFlag[];
  readonly version: KruiseRolloutVersion;
  /** Whether `version` is the exact release, or only a similar one. */
  readonly versionIsExact: boolean;
  /** The namespace where the controller looks for its ConfigMap and Secret; undefined if unknown. */
  readonly ownNamespace: string | undefined;
  /** The port of the webhooks; undefined if unknown. */
  readonly webhookPort: number | undefined;
  /** The Service that the controller writes into its webhooks; undefined if unknown. */
  readonly webhookService: string | undefined;
  /** The address of the metrics; undefined if the controller serves none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
}

/** The controllers of a World, by the name of the image or of the Deployment. */
export function controllersOf(world: World, version?: KruiseRolloutVersion): readonly Controller[] {
  return version === undefined ? world.memo(readControllers) : world.memo(readControllersAs, version);
}

function readControllers(world: World): readonly Controller[] {
  return readControllersAs(world);
}

function readControllersAs(world: World, version?: KruiseRolloutVersion): readonly Controller[] {
  return world.list('Deployment.apps').flatMap((manifest) => {
    const containers = asList(manifest.get('spec.template.spec.containers'));
    const ours = containers.findIndex((container) => isOurImage(textOf(asObject(container).image)));
    if (ours < 0 && manifest.name !== CONTROLLER_NAME) return [];
    return [controllerOf(manifest, world.namespaceOf(manifest), Math.max(ours, 0), version)];
  });
}

function controllerOf(
  manifest: Manifest,
  namespace: string,
  index: number,
  givenVersion: KruiseRolloutVersion | undefined,
): Controller {
  const containerPath = ['spec', 'template', 'spec', 'containers', index];
  const container = asObject(manifest.get(containerPath));
  const flags = flagsOf(container, containerPath);
  const replicas = manifest.get('spec.replicas');
  return {
    manifest,
    namespace,
    podLabels: asObject(manifest.get('spec.template.metadata.labels')),
    podAnnotations: asObject(manifest.get('spec.template.metadata.annotations')),
    replicas: typeof replicas === 'number' ? replicas : 1,
    container,
    containerPath,
    serviceAccountName: textOf(manifest.get('spec.template.spec.serviceAccountName')) ?? 'default',
    flags,
    ...versionOf(textOf(container.image), givenVersion),
    ownNamespace: ownNamespaceOf(variableOf(container, containerPath, 'POD_NAMESPACE'), namespace),
    webhookPort: webhookPortOf(variableOf(container, containerPath, 'WEBHOOK_PORT')),
    webhookService: valueOr(variableOf(container, containerPath, 'SERVICE_NAME'), WEBHOOK_SERVICE_NAME),
    metrics: metricsOf(flags),
  };
}

/** A variable of a container; undefined if it is not set. */
export function variableOf(container: JsonObject, containerPath: Path, name: string): ProcessVariable | undefined {
  // If a name is set twice, the last value counts.
  const list = asList(container.env);
  const index = list.map((variable) => asObject(variable).name).lastIndexOf(name);
  if (index < 0) return undefined;
  const variable = asObject(list[index]);
  const literal = variable.valueFrom === undefined ? (textOf(variable.value) ?? '') : undefined;
  return {
    // The value of a reference to another variable is unknown here.
    value: literal?.includes('$(') ? undefined : literal,
    field: textOf(asObject(asObject(variable.valueFrom).fieldRef).fieldPath),
    path: [...containerPath, 'env', index],
  };
}

function flagsOf(container: JsonObject, containerPath: Path): ProcessFlag[] {
  return ['command', 'args'].flatMap((list) => {
    const words = asList(container[list]);
    return words.flatMap((word, index): ProcessFlag[] => {
      const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(textOf(word) ?? '') ?? [];
      if (name === undefined) return [];
      const next = textOf(words[index + 1]);
      const separate = value === undefined && next !== undefined && !next.startsWith('-') ? next : '';
      return [{ name, value: value ?? separate, path: [...containerPath, list, index] }];
    });
  });
}

/** Whether an argument is neither a flag nor the value of one. It can stand for a flag that a preview does not know yet. */
export function hasOtherArguments({ args }: JsonObject): boolean {
  const words = asList(args).map((word) => textOf(word) ?? '');
  return words.some((word, index) => !word.startsWith('-') && !/^--?[^=]+$/.test(words[index - 1] ?? ''));
}

/** The last occurrence of a flag. */
export function flagOf(flags: readonly ProcessFlag[], name: string): ProcessFlag | undefined {
  return flags.filter((flag) => flag.name === name).at(-1);
}

function ownNamespaceOf(variable: ProcessVariable | undefined, namespace: string): string | undefined {
  if (variable?.field === 'metadata.namespace') return namespace;
  return valueOr(variable, DEFAULT_CONTROLLER_NAMESPACE);
}

function webhookPortOf(variable: ProcessVariable | undefined): number | undefined {
  const text = valueOr(variable, String(DEFAULT_WEBHOOK_PORT));
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** An empty variable counts as not set. */
function valueOr(variable: ProcessVariable | undefined, otherwise: string): string | undefined {
  if (variable === undefined || variable.value === '') return otherwise;
  return variable.value;
}

function metricsOf(flags: readonly ProcessFlag[]): Controller['metrics'] {
  const address = flagOf(flags, 'metrics-bind-address')?.value ?? `:${DEFAULT_METRICS_PORT}`;
  if (address === '0') return undefined;
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  return { host, port: Number(port) };
}

function isOurImage(image: string | undefined): boolean {
  return (
    repositoryOf(image ?? '')
      .split('/')
      .at(-1) === 'kruise-rollout'
  );
}

function repositoryOf(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
}

function versionOf(image: string | undefined, given: KruiseRolloutVersion | undefined) {
  if (given !== undefined) return { version: given, versionIsExact: true };
  const tag = tagOf(image) ?? '';
  const exact = KruiseRolloutVersion.find(tag);
  if (exact !== undefined) return { version: exact, versionIsExact: true };
  const number = parseVersionNumber(tag);
  const nearest = number && nearestVersion(KruiseRolloutVersion.ALL, number);
  return { version: nearest ?? KruiseRolloutVersion.LATEST, versionIsExact: false };
}

/** Whether a selector of labels matches a pod. Here an empty or missing selector matches none. */
export function selects(selector: unknown, podLabels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false;
  const entries = Object.entries(selector);
  return entries.length > 0 && entries.every(([key, value]) => podLabels[key] === value);
}
