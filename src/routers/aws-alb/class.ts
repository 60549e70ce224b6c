import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type World } from '../../core';
import { CLASS_ANNOTATION, defaultClassName } from '../ingress/class';
import type { Ingress } from '../ingress/ingress';
import { INGRESS_CLASS } from '../ingress/kinds';
import { nameOfKind } from '../kinds';
import { listOf, textOf } from '../values';
import type { AwsLoadBalancerControllerFacts } from './version';

/** How the controller finds its Ingresses; the defaults are those of its Helm chart. */
export interface ClassOptions {
  /**
   * The class in the annotation `kubernetes.io/ingress.class` of Ingresses: the flag `--ingress-class`.
   * @default 'alb'
   */
  readonly ingressClass?: string;
  /**
   * IngressClasses of the controller that exist in the cluster although the stack does not declare them.
   * @default ['alb'], as the Helm chart installs it
   */
  readonly installedClasses?: readonly string[];
}

/** How the controller is set up, and its release. */
export interface AlbOptions extends ClassOptions {
  /**
   * What the release of the controller supports.
   * @default - what the newest release supports
   */
  readonly facts?: AwsLoadBalancerControllerFacts;
}

/** An Ingress that the controller serves. */
export interface Member {
  readonly ingress: Ingress;
  /** The `spec` of its IngressClassParams, which wins over the annotations; undefined if it has none. */
  readonly params: JsonObject | undefined;
}

const CONTROLLER = 'ingress.k8s.aws/alb';
const PARAMS_GROUP = 'elbv2.k8s.aws';
const PARAMS_KIND = 'IngressClassParams';

/** The Ingress as a member of a group; undefined if it is for another controller or its class is invalid. */
export function classify(world: World, ingress: Ingress, options: ClassOptions = {}): Member | undefined {
  if (Object.hasOwn(ingress.annotations, CLASS_ANNOTATION)) {
    // The annotation does not refer to an IngressClass object, so that there are no parameters.
    const isOurs = ingress.annotations[CLASS_ANNOTATION] === (options.ingressClass ?? 'alb');
    return isOurs ? { ingress, params: undefined } : undefined;
  }
  const className = ingress.className ?? defaultClassName(world);
  if (className === undefined) return undefined;
  const ingressClass = world.find(nameOfKind(INGRESS_CLASS), className);
  if (ingressClass === undefined) {
    const isInstalled = (options.installedClasses ?? ['alb']).includes(className);
    return isInstalled ? { ingress, params: undefined } : undefined;
  }
  return memberOfClass(world, ingress, ingressClass);
}

function memberOfClass(world: World, ingress: Ingress, ingressClass: Manifest): Member | undefined {
  const spec = ownValue(ingressClass.object, 'spec');
  if (ownValue(spec, 'controller') !== CONTROLLER) return undefined;
  const reference = ownValue(spec, 'parameters');
  if (!isJsonObject(reference)) return { ingress, params: undefined };
  if (reference.apiGroup !== PARAMS_GROUP || reference.kind !== PARAMS_KIND) return undefined;
  const manifest = world.find(`${PARAMS_KIND}.${PARAMS_GROUP}`, textOf(reference.name) ?? '');
  if (manifest === undefined) return undefined;
  const params = ownValue(manifest.object, 'spec');
  const selector = ownValue(params, 'namespaceSelector');
  if (isJsonObject(selector) && !selects(selector, labelsOf(world, ingress.namespace))) return undefined;
  return { ingress, params: isJsonObject(params) ? params : {} };
}

/** The labels of a Namespace. Kubernetes itself adds the label with the name. */
function labelsOf(world: World, namespace: string): Readonly<Record<string, string>> {
  const declared = world.find('Namespace', namespace)?.labels;
  return { ...declared, 'kubernetes.io/metadata.name': namespace };
}

function selects(selector: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const exact = isJsonObject(selector.matchLabels) ? Object.entries(selector.matchLabels) : [];
  return (
    exact.every(([key, value]) => ownValue(labels, key) === value) &&
    listOf(selector.matchExpressions).every((expression) => satisfies(expression, labels))
  );
}

function satisfies(expression: Json, labels: Readonly<Record<string, string>>): boolean {
  const label = ownValue(labels, textOf(ownValue(expression, 'key')) ?? '');
  const isListed = label !== undefined && listOf(ownValue(expression, 'values')).includes(label);
  switch (ownValue(expression, 'operator')) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    default:
      return false;
  }
}
