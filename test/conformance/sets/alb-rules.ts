import { isDeepStrictEqual } from 'node:util';
import { Manifest, World } from '../../../src/core';
import {
  type Action,
  type AlbGroup,
  type AlbListener,
  buildModel,
  type ListenerRule,
  matchRequest,
} from '../../../src/routers/aws-alb';
import type { HttpRequest } from '../../../src/routers/router';
import type { Outcome, VectorSet } from '../set';

interface AlbVector {
  readonly input: {
    readonly ingresses: readonly object[];
    readonly services: readonly object[];
    readonly ingressClasses?: readonly object[];
    readonly ingressClassParams?: readonly object[];
  };
  readonly expect: {
    readonly groups: readonly { readonly group: string; readonly error?: string }[];
    readonly ungrouped?: readonly string[];
    readonly probes?: readonly {
      readonly group: string;
      readonly port?: number;
      readonly request: HttpRequest;
      readonly result: unknown;
    }[];
  };
}

/** The classes that exist where a vector names none. */
const DEFAULT_CLASSES = [
  ['alb', 'ingress.k8s.aws/alb'],
  ['nginx', 'k8s.io/ingress-nginx'],
].map(([name, controller]) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name },
  spec: { controller },
}));

/** Groups, rules and probes of the AWS Load Balancer Controller. */
const albRulesVectors: VectorSet = {
  check({ input, expect }: AlbVector): Outcome {
    const objects = [
      ...input.ingresses,
      ...input.services,
      ...(input.ingressClasses ?? DEFAULT_CLASSES),
      ...(input.ingressClassParams ?? []),
    ];
    const world = World.of(objects.map((object) => Manifest.of(object)));
    const model = buildModel(world, { installedClasses: [] });
    const probes = (expect.probes ?? []).map(({ group, port, request }) => {
      const found = model.groups.find(({ name }) => name === group);
      const listener = found?.listeners.find((candidate) => candidate.port === (port ?? 80));
      return listener === undefined ? 'no such listener' : probed(listener, request);
    });
    const differences = [
      // The tail of a message is the wording of Go's standard library.
      ...compare(
        'group',
        model.groups.map(groupOf),
        expect.groups.map(({ error, ...group }) => group),
      ),
      ...compare('ungrouped', [model.ungrouped.map(({ key }) => key)], [expect.ungrouped ?? []]),
      ...compare(
        'probe',
        probes,
        (expect.probes ?? []).map(({ result }) => result),
      ),
    ];
    return { same: differences.length === 0, difference: differences.slice(0, 2).join('; ') || undefined };
  },
};

function compare(what: string, actual: readonly unknown[], expected: readonly unknown[]): string[] {
  const length = Math.max(actual.length, expected.length);
  return Array.from({ length }, (_, index) => index)
    .filter((index) => !isDeepStrictEqual(actual[index], expected[index]))
    .map((index) => `${what} ${index}: expected ${text(expected[index])}, got ${text(actual[index])}`);
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function groupOf({ name, members, isOrdered, failure, listeners }: AlbGroup): object {
  const group = { group: name, ...(isOrdered ? { members: members.map(({ key }) => key) } : {}) };
  if (failure !== undefined) return { ...group, errorClass: failure.errorClass, rules: [] };
  const [first] = listeners;
  const isPlain = listeners.length === 1 && first!.port === 80 && first!.protocol === 'HTTP';
  return {
    ...group,
    rules: (first?.rules ?? []).map(ruleOf),
    ...(first === undefined ? {} : { defaultActions: first.defaultActions.map(actionOf) }),
    ...(isPlain ? {} : { listeners: listeners.map(listenerOf) }),
  };
}

function listenerOf({ port, protocol, defaultActions, rules }: AlbListener): object {
  return { port, protocol, defaultActions: defaultActions.map(actionOf), rules: rules.map(ruleOf) };
}

function ruleOf({ priority, ingress, conditions, actions, transforms }: ListenerRule): object {
  const rule = { priority, ingress: ingress.key, conditions, actions: actions.map(actionOf) };
  return transforms.length === 0 ? rule : { ...rule, transforms };
}

function actionOf(action: Action): Action | object {
  return action.type === 'forward' ? { ...action, targetGroups: targetsOf(action) } : action;
}

/** The namespace is that of the rule's Ingress, which the vectors leave out. */
function targetsOf(action: Extract<Action, { type: 'forward' }>): readonly object[] {
  return action.targetGroups.map((target) => {
    if (!('namespace' in target)) return target;
    const { namespace, ...rest } = target;
    return rest;
  });
}

function probed(listener: AlbListener, request: HttpRequest): object {
  const { rule, action } = matchRequest(listener, request);
  const rulePriority = rule?.priority ?? null;
  switch (action.type) {
    case 'forward':
      return { rulePriority, forwards: targetsOf(action) };
    case 'redirect':
      return { rulePriority, redirect: action.redirect };
    case 'fixed-response':
      return { rulePriority, fixedResponse: action.fixedResponse };
  }
}

export default albRulesVectors;
