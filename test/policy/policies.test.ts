/** Every policy, asked as Pulumi's SDK asks it: with proxies that throw where a value is unknown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkStack, ruleGroups } from '../../src/check';
import { type JsonObject, Manifest, World } from '../../src/core';
import { policies, type RolloutPoliciesOptions, rolloutPolicies } from '../../src/policy';
import { type Resource, UNKNOWN, urnOf } from './analyzer';
import { resourceOf, resourcesOf, stateOf } from './stacks';

/** Its types leave it out. */
const { unknownCheckingProxy }: { unknownCheckingProxy<T>(value: T): T } = require('@pulumi/policy/proxy');

type Policies = typeof policies;

interface Told {
  readonly policy: string;
  readonly urn: string | undefined;
  readonly text: string;
}

/** What the policies of a pack say of a stack: of each resource, and of all. */
function told(pack: Policies, resources: readonly Resource[], config: object = {}): Told[] {
  const said: Told[] = [];
  const getConfig = () => config;
  const args = resources.map((each) => ({
    ...each,
    urn: urnOf(each),
    props: unknownCheckingProxy(structuredClone(each.props)),
    provider: each.provider && {
      type: 'pulumi:providers:kubernetes',
      name: each.provider.name,
      urn: urnOf({ type: 'pulumi:providers:kubernetes', name: each.provider.name, props: {} }),
      props: unknownCheckingProxy(structuredClone(each.provider.props)),
    },
    getConfig,
  }));
  for (const policy of pack) {
    const say = (own?: string) => (text: string, urn?: string) =>
      said.push({ policy: policy.name, urn: urn ?? own, text });
    if ('validateStack' in policy) void policy.validateStack({ resources: args, getConfig } as never, say());
    else {
      // A policy of a pack may have several; ours have one.
      const validate = policy.validateResource as (args: unknown, report: unknown) => void;
      for (const one of args) validate(one, say(one.urn));
    }
  }
  return said;
}

const everyRule = ruleGroups.flatMap(({ rules }) => rules);
const yamls = everyRule.flatMap(({ failing, corrected }) =>
  [failing, corrected].filter(({ language }) => language === 'yaml').map(({ text }) => text),
);

interface Found {
  readonly rule: string;
  readonly message: string;
  readonly urn: string | undefined;
  /** Of an object by itself. */
  readonly isOfOne: boolean;
}

/** Everything that is found in a stack, whatever it weighs. */
function found(resources: readonly Resource[], pack = policies): Found[] {
  const all = told(pack, resources, { include: everyRule.map(({ id }) => id) });
  return all
    .filter(({ policy }) => policy.endsWith('-warnings'))
    .map(({ policy, urn, text }) => {
      const [, rule, message] = /^([a-z0-9-]+): ([\s\S]*?)\n {2}(?:in|note|because): /.exec(text)!;
      return { rule: rule!, message: message!, urn, isOfOne: policy === 'objects-warnings' };
    });
}

const textOf = ({ rule, message }: Pick<Found, 'rule' | 'message'>) => `${rule}: ${message}`;

/** Of every rule that some policy tells. */
const ids = new Set(
  policies.flatMap(({ configSchema }) => {
    const { include } = (configSchema?.properties ?? {}) as Record<string, { items?: { enum?: string[] } }>;
    return include?.items?.enum ?? [];
  }),
);

describe('a rule', () => {
  /** What needs an option, another release, stories, or more objects than an example shows, and what the finding of the webhook itself says. */
  const unshown = [
    'argo-min-pods-above-replicas',
    'controller-version-contradicted',
    'kruise-alb-regex-version',
    'alb-annotation-version',
    'alb-regex-version',
    'alb-rule-quota',
    'alb-target-group-quota',
    'rehearsal-refused',
    'rehearsal-story-requests-fail',
    'rehearsal-pods-overloaded',
    'rehearsal-story-stuck',
    'suppression-untrusted',
  ];
  const examples = everyRule.filter(
    ({ id, failing }) => ids.has(id) && failing.language === 'yaml' && !unshown.includes(id),
  );

  /** That examples are right is held by the tests of rules; here, that policies pass on what is found. */
  const some = examples.filter((_, index) => index % 5 === 0);

  it('is told by a policy, most of them', () => {
    expect(examples.length).toBeGreaterThan(250);
    expect([...ids].filter((id) => !everyRule.some((rule) => rule.id === id))).toEqual([]);
  });

  it.each(some)('$id is found in its failing example, and not in the corrected one', (rule) => {
    const { id, failing, corrected } = rule;
    const find = (yaml: string) => found(resourcesOf(yaml)).filter((each) => each.rule === id);
    const inFailing = find(failing.text);
    expect(inFailing).not.toEqual([]);
    expect(inFailing.filter(({ urn }) => urn === undefined)).toEqual([]);
    expect(find(corrected.text)).toEqual([]);
  });

  it('is found where the release matters', () => {
    const pack = rolloutPolicies({ awsLoadBalancerControllerVersion: '2.13.4' });
    for (const id of ['kruise-alb-regex-version', 'alb-regex-version']) {
      const resources = resourcesOf(everyRule.find((rule) => rule.id === id)!.failing.text);
      expect(found(resources, pack).map(({ rule }) => rule)).toContain(id);
      expect(found(resources).map(({ rule }) => rule)).not.toContain(id);
    }
  });

  it('that the options name is a policy of its own, and no other tells it', () => {
    const stack = resourcesOf(everyRule.find(({ id }) => id === 'manifest-duplicate')!.failing.text);
    const pack = rolloutPolicies({ rules: { 'manifest-duplicate': 'mandatory', 'field-unknown': 'advisory' } });
    expect(pack.slice(-3)).toMatchObject([
      { name: 'field-unknown', enforcementLevel: 'advisory', validateResource: expect.any(Function) },
      { name: 'manifest-duplicate', enforcementLevel: 'mandatory', validateStack: expect.any(Function) },
      { name: 'unknown-values' },
    ]);
    expect(told(pack, stack).map(({ policy }) => policy)).toEqual(['manifest-duplicate']);
    const accepted = [{ object: 'ConfigMap/web', reason: 'tried' }];
    expect(told(pack, stack, { accepted })).toEqual([]);
  });
});

describe('what is known of an object by itself', () => {
  /** What is found in objects one by one, and what the same rules find in the stack as a whole. */
  function bothWays(texts: readonly string[]) {
    const resources = texts.flatMap(resourcesOf);
    const world = World.of(resources.map(({ props }) => Manifest.of(props)));
    const { findings } = checkStack(world, { kubernetesVersion: '1.34', rehearsal: false });
    return {
      isOneStack: world.findings.length === 0,
      whole: findings
        .filter(({ rule }) => ofOne.has(rule))
        .map(textOf)
        .sort(),
      alone: found(resources)
        .filter(({ isOfOne }) => isOfOne)
        .map(textOf)
        .sort(),
    };
  }
  const ofOne = new Set(
    rolloutPolicies({ rules: Object.fromEntries([...ids].map((id) => [id, 'advisory'])) })
      .filter((policy) => 'validateResource' in policy)
      .map(({ name }) => name),
  );

  it('is told of the objects of every example as it is of the whole', () => {
    expect(ofOne.size).toBeGreaterThan(40);
    for (const text of yamls.filter((_, index) => index % 12 === 0)) {
      const { whole, alone, isOneStack } = bothWays([text]);
      if (isOneStack) expect(alone).toEqual(whole);
    }
  });

  it('is the same whatever else is in the stack', () => {
    fc.assert(
      fc.property(fc.constantFrom(...yamls), fc.constantFrom(...yamls), (one, other) => {
        const { whole, alone, isOneStack } = bothWays([one, other]);
        fc.pre(isOneStack);
        expect(alone).toEqual(whole);
      }),
      { seed: 7, numRuns: 40 },
    );
  });
});

describe('a preview', () => {
  /** Paths to the leaves of a value. */
  function leavesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
    if (typeof value !== 'object' || value === null) return [path];
    const inner = Object.entries(value).flatMap(([key, entry]) =>
      leavesOf(entry, [...path, Array.isArray(value) ? Number(key) : key]),
    );
    return path.length > 0 ? [path, ...inner] : inner;
  }

  function withUnknown(resource: Resource, path: readonly (string | number)[]): Resource {
    const props = structuredClone(resource.props);
    let at = props as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as typeof at;
    at[path.at(-1)!] = UNKNOWN;
    return { ...resource, props };
  }

  const stacks = everyRule.flatMap(({ id, failing }) =>
    ids.has(id) && failing.language === 'yaml' ? [failing.text] : [],
  );
  const places = fc.constantFrom(...stacks).chain((text) => {
    const resources = resourcesOf(text);
    const all = resources.flatMap(({ props }, index) => leavesOf(props).map((path) => ({ index, path })));
    return fc.record({
      resources: fc.constant(resources),
      hidden: fc.uniqueArray(fc.constantFrom(...all), {
        minLength: 1,
        maxLength: 3,
        selector: (one) => JSON.stringify(one),
      }),
    });
  });

  it('says of a stack with values that are not known nothing that is not true of it with its values', () => {
    fc.assert(
      fc.property(places, ({ resources, hidden }) => {
        const preview = [...resources];
        for (const { index, path } of hidden) {
          try {
            preview[index] = withUnknown(preview[index]!, path);
          } catch {
            // It is within something else that is unknown.
          }
        }
        const known = new Set(found(resources).map(textOf));
        expect(
          found(preview)
            .map(textOf)
            .filter((text) => !known.has(text)),
        ).toEqual([]);
      }),
      { seed: 11, numRuns: 80 },
    );
  });

  it('says of every value that is not known that it is not checked, except within pods', () => {
    const [deployment, ingress] = resourcesOf(
      `
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: ${UNKNOWN}}]}}
      ---
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: {name: web, annotations: {a: ${UNKNOWN}}}
      spec: {rules: [{host: ${UNKNOWN}}]}
    `.replace(/^ {6}/gm, ''),
    );
    const said = told(policies, [deployment!, ingress!]).filter(({ policy }) => policy === 'unknown-values');
    expect(said).toEqual([
      {
        policy: 'unknown-values',
        urn: urnOf(ingress!),
        text: 'metadata.annotations.a, spec.rules[0].host cannot be known during preview: what depends on it is checked during the update',
      },
    ]);
  });
});

describe('a stack', () => {
  const service = (namespace?: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', ...(namespace && { namespace }) },
    spec: { ports: [{ port: 80 }] },
  });
  const twice = (first: Partial<Resource>, second: Partial<Resource>, namespace?: string) =>
    told(policies, [
      { ...resourceOf(service(namespace), 'one'), ...first },
      { ...resourceOf(service(namespace), 'two'), ...second },
    ]);
  const provider = (name: string, props: object) => ({ provider: { name, props } });

  it('may declare the same object for two clusters, but not twice for one', () => {
    expect(twice({}, {})).toMatchObject([{ policy: 'manifests-warnings' }]);
    expect(twice({}, provider('default', {}))).toHaveLength(1);
    const [a, b] = [{ kubeconfig: 'a' }, { kubeconfig: 'b' }];
    expect(twice(provider('one', a), provider('two', a))).toHaveLength(1);
    expect(twice(provider('one', a), provider('two', b))).toEqual([]);
    expect(twice(provider('one', { kubeconfig: UNKNOWN }), provider('two', { kubeconfig: UNKNOWN }))).toEqual([]);
    expect(twice(provider('one', { ...a, context: 'x' }), provider('two', { ...a, context: 'y' }))).toEqual([]);
  });

  it('puts objects without a namespace into that of the provider', () => {
    expect(twice(provider('one', { namespace: 'a' }), provider('two', { namespace: 'b' }))).toEqual([]);
    expect(twice(provider('one', { namespace: 'a' }), provider('two', { namespace: 'b' }), 'c')).toHaveLength(1);
  });

  it('is what the program declares, not what the cluster made of it', () => {
    for (const yaml of yamls.filter((_, index) => index % 20 === 0)) {
      const stack = resourcesOf(yaml);
      expect(told(policies, stack.map(stateOf))).toEqual(told(policies, stack));
    }
  });

  it('is understood where a resource has no inputs in its state', () => {
    const stack = resourcesOf(everyRule.find(({ id }) => id === 'manifest-duplicate')!.failing.text);
    const read = stack.map(stateOf).map((each) => {
      const { __inputs: _, ...props } = each.props as Record<string, unknown>;
      return { ...each, props };
    });
    expect(told(policies, read)).toEqual(told(policies, stack));
  });

  it('counts what it only patches as being there', () => {
    const ingress = resourcesOf(everyRule.find(({ id }) => id === 'alb-service-missing')!.failing.text);
    const missing = (resources: readonly Resource[]) =>
      found(resources).flatMap(({ rule, message }) => (rule === 'alb-service-missing' ? [message] : []));
    expect(missing(ingress)).not.toEqual([]);
    const patches = missing(ingress).map((message) => {
      const [, name, namespace] = /no Service "([^"]+)" in the namespace "([^"]+)"/.exec(message)!;
      const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: name!, namespace: namespace! } };
      return { ...resourceOf(object), type: 'kubernetes:core/v1:ServicePatch' };
    });
    expect(missing([...ingress, ...patches])).toEqual([]);
  });

  it('holds the objects of lists', () => {
    const items = resourcesOf(everyRule.find(({ id }) => id === 'argo-set-weight-out-of-range')!.failing.text).map(
      ({ props }) => {
        const { kind: _, apiVersion: __, ...item } = props as JsonObject;
        return item;
      },
    );
    const list = { apiVersion: 'argoproj.io/v1alpha1', kind: 'RolloutList', items };
    expect(found([resourceOf(list, 'list')])).toContainEqual(
      expect.objectContaining({
        rule: 'argo-set-weight-out-of-range',
        urn: 'urn:pulumi:dev::shop::kubernetes:argoproj.io/v1alpha1:RolloutList::list',
      }),
    );
  });

  it('keeps what its Secrets hold to itself', () => {
    const annotations = { 'rollout-constructs.io/ignore': 'no-such-rule: why' };
    const text = (data: object) =>
      JSON.stringify(
        told(policies, [
          resourceOf({
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { name: 'web', annotations },
            ...data,
          } as JsonObject),
        ]),
      );
    expect(text({})).toContain('no-such-rule');
    expect(text({ stringData: { a: 'hush' }, data: { 'tls.key': 'aHVzaA==' } })).toBe(text({}));
  });

  it('has no Output written into a text', () => {
    const broken = 'http://Calling [toString] on an [Output<T>] is not supported.';
    const [found, ...more] = told(policies, [
      resourceOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { url: broken } }),
    ]);
    expect(found).toMatchObject({ policy: 'objects' });
    expect(found!.text).toContain('pulumi-output-in-text: data.url holds the text of a warning instead of a value');
    expect(more).toEqual([]);
  });

  it('may hold anything', () => {
    const types = fc.constantFrom(
      'networking.k8s.io/v1:Ingress',
      'core/v1:Service',
      'core/v1:ConfigMap',
      'argoproj.io/v1alpha1:Rollout',
      'rollouts.kruise.io/v1beta1:Rollout',
      'core/v1:List',
      'apps/v1:DeploymentPatch',
      'helm.sh/v3:Release',
      'core/v1:Secret',
    );
    const key = fc.constantFrom(
      'metadata',
      'spec',
      'name',
      'kind',
      'items',
      'rules',
      'strategy',
      'annotations',
      'data',
      '__inputs',
      '__proto__',
      'x',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(UNKNOWN, null, true, 3, 'web', ''),
        fc.array(tie('any'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    })).object;
    const resources = fc.array(
      fc.record({
        type: types.map((type) => `kubernetes:${type}`),
        name: fc.constantFrom('a', 'b', 'c'),
        props: value as fc.Arbitrary<object>,
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(resources, (stack) => {
        const said = told(policies, stack);
        expect(said.filter(({ text }) => text.includes('could not check'))).toEqual([]);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});

describe('options', () => {
  it.each<[string, RolloutPoliciesOptions, RegExp]>([
    [
      'a rule that is not there',
      { rules: { 'rehearsal-canary-gets-nothin': 'mandatory' } },
      /did you mean "rehearsal-canary-gets-nothing"/,
    ],
    [
      'a level that is not there',
      { rules: { 'manifest-duplicate': 'error' as never } },
      /rules\.manifest-duplicate is "error": it must be one of mandatory, advisory, disabled/,
    ],
    ['a release that is not there', { kruiseVersion: '9.9' }, /kruiseVersion/],
    ['a request that is none', { probes: ['GET'] }, /probes\[0\]/],
  ])('with %s are refused', (_, options, message) => {
    expect(() => rolloutPolicies(options)).toThrow(message);
  });

  it('accept findings, in code, of one cluster among several', () => {
    const suppressions = [{ rule: 'manifest-duplicate', reason: 'tried', object: { kind: 'Service', name: 'web' } }];
    const service = resourceOf({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }] },
    });
    const elsewhere = { ...service, name: 'far', provider: { name: 'far', props: { kubeconfig: 'far' } } };
    const again = { ...service, name: 'again' };
    const pack = rolloutPolicies({ suppressions });
    expect(told(pack, [service, again, elsewhere])).toEqual([]);
    expect(told(pack, [service, elsewhere])).toMatchObject([{ policy: 'manifests-warnings' }]);
    expect(told(policies, [service, again, elsewhere])).toHaveLength(1);
  });

  it('leave out the rehearsal', () => {
    const failing = everyRule.find(({ id }) => id === 'rehearsal-canary-gets-nothing')!.failing.text;
    const rules = (options: RolloutPoliciesOptions) =>
      told(rolloutPolicies(options), resourcesOf(failing)).filter(({ policy }) => policy === 'rehearsal');
    expect(rules({})).not.toEqual([]);
    expect(rules({ rehearsal: false })).toEqual([]);
  });

  it('are for a release', () => {
    const stack = resourcesOf(everyRule.find(({ id }) => id === 'kubernetes-api-removed')!.failing.text);
    const removed = (kubernetesVersion: string) => told(rolloutPolicies({ kubernetesVersion }), stack).length;
    expect([removed('1.34'), removed('1.20')]).toEqual([1, 0]);
  });
});
