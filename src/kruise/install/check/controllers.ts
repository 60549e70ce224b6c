import { isJsonObject, type JsonObject } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { Path } from '../../../core/path';
import type { World } from '../../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../../api/names';
import { asList, asObject, asString } from '../../json';
import { KruiseRolloutVersion } from '../../version';
import { CONTROLLER_NAME, DEFAULT_METRICS_PORT, DEFAULT_WEBHOOK_PORT, WEBHOOK_SERVICE_NAME } from '../names';

/** A flag of the process, and where it stands. */
export interface ProcessFlag {
  readonly name: string;
  /** Empty where the flag stands alone. */
  readonly value: string;
  readonly path: Path;
}

/** A variable of the environment: its text, or that it comes from elsewhere. */
export interface ProcessVariable {
  /** Undefined where the value comes from a Secret, a ConfigMap or a field. */
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
  /** Whether the release is known for sure, or only that it is near to `version`. */
  readonly versionIsExact: boolean;
  /** Where the process looks for ConfigMap and Secret; undefined where that cannot be read. */
  readonly ownNamespace: string | undefined;
  /** Where the process serves webhooks; undefined where that cannot be read. */
  readonly webhookPort: number | undefined;
  /** The Service that the process names in its webhooks; undefined where that cannot be read. */
  readonly webhookService: string | undefined;
  /** Where the process serves metrics; undefined where it serves none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
}

/** The controllers of a World: by the image's name, or by that of the Deployment. */
export function controllersOf(world: World, version?: KruiseRolloutVersion): Controller[] {
  return world.list('Deployment.apps').flatMap((manifest) => {
    const containers = asList(manifest.get('spec.template.spec.containers'));
    const ours = containers.findIndex((container) => isOurImage(asString(asObject(container).image)));
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
    serviceAccountName: asString(manifest.get('spec.template.spec.serviceAccountName')) ?? 'default',
    flags,
    ...versionOf(asString(container.image), givenVersion),
    ownNamespace: ownNamespaceOf(variableOf(container, containerPath, 'POD_NAMESPACE'), namespace),
    webhookPort: webhookPortOf(variableOf(container, containerPath, 'WEBHOOK_PORT')),
    webhookService: textOf(variableOf(container, containerPath, 'SERVICE_NAME'), WEBHOOK_SERVICE_NAME),
    metrics: metricsOf(flags),
  };
}

/** A variable of a container; undefined where it is not set. */
export function variableOf(container: JsonObject, containerPath: Path, name: string): ProcessVariable | undefined {
  // Of a name that is there twice, the last one counts.
  const list = asList(container.env);
  const index = list.map((variable) => asObject(variable).name).lastIndexOf(name);
  if (index < 0) return undefined;
  const variable = asObject(list[index]);
  const literal = variable.valueFrom === undefined ? (asString(variable.value) ?? '') : undefined;
  return {
    // What holds a reference to another variable is not known here.
    value: literal?.includes('$(') ? undefined : literal,
    field: asString(asObject(asObject(variable.valueFrom).fieldRef).fieldPath),
    path: [...containerPath, 'env', index],
  };
}

function flagsOf(container: JsonObject, containerPath: Path): ProcessFlag[] {
  return ['command', 'args'].flatMap((list) => {
    const words = asList(container[list]);
    return words.flatMap((word, index): ProcessFlag[] => {
      const [, name, value] = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(asString(word) ?? '') ?? [];
      if (name === undefined) return [];
      const next = asString(words[index + 1]);
      const separate = value === undefined && next !== undefined && !next.startsWith('-') ? next : '';
      return [{ name, value: value ?? separate, path: [...containerPath, list, index] }];
    });
  });
}

/** The value of a flag; of one that is there twice, the last. */
export function flagOf(flags: readonly ProcessFlag[], name: string): ProcessFlag | undefined {
  return flags.filter((flag) => flag.name === name).at(-1);
}

function ownNamespaceOf(variable: ProcessVariable | undefined, namespace: string): string | undefined {
  if (variable?.field === 'metadata.namespace') return namespace;
  return textOf(variable, DEFAULT_CONTROLLER_NAMESPACE);
}

function webhookPortOf(variable: ProcessVariable | undefined): number | undefined {
  const text = textOf(variable, String(DEFAULT_WEBHOOK_PORT));
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** An empty variable counts as one that is not set. */
function textOf(variable: ProcessVariable | undefined, otherwise: string): string | undefined {
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
  const tag = /:([^/:@]+)(@.*)?$/.exec(image ?? '')?.[1] ?? '';
  const exact = KruiseRolloutVersion.find(tag);
  if (exact !== undefined) return { version: exact, versionIsExact: true };
  const minor = /^v?(\d+\.\d+)\./.exec(tag)?.[1];
  const near = KruiseRolloutVersion.ALL.filter(
    ({ version }) => minor !== undefined && version.startsWith(`${minor}.`),
  ).at(-1);
  return { version: near ?? KruiseRolloutVersion.LATEST, versionIsExact: false };
}

/** Whether a selector of plain labels chooses a pod; one that is empty or missing chooses none here. */
export function selects(selector: unknown, podLabels: JsonObject): boolean {
  if (!isJsonObject(selector)) return false;
  const entries = Object.entries(selector);
  return entries.length > 0 && entries.every(([key, value]) => podLabels[key] === value);
}
