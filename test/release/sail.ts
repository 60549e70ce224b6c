/** A rollout controller that does not exist: a Voyage moves weights from one backend of an HTTPRoute to another. */
import { defineRules, type JsonObject, Manifest, type World } from '../../src/core';
import { yaml } from '../../src/core/example';
import { asList, asObject, asText, numberOf } from '../../src/core/json';
import type { Moment, PodGroup, Release, ReleaseController, ReleasePlay } from '../../src/release';

const VOYAGE = 'Voyage.sail.example.com';
const HTTP_ROUTE = 'HTTPRoute.gateway.networking.k8s.io';
const REVISION = 'sail.example.com/revision';
const STEPS = ['spec', 'steps'];

const rules = defineRules({
  'sail-no-return': {
    severity: 'warning',
    title: 'the last step is not 100 %',
    because: 'a Voyage ends at its last step',
    fix: 'add a step with weight 100',
    basis: 'read',
    sources: ['https://sail.example.com'],
    failing: yaml('spec: { steps: [{ weight: 20 }] }\n'),
    corrected: yaml('spec: { steps: [{ weight: 100 }] }\n'),
  },
});

/** One folder of a controller: everything that the rehearsal, the shards and the doctor ask for. */
export const sail: ReleaseController = {
  name: 'Sail',
  reads: [{ group: 'sail.example.com', kind: 'Voyage', plural: 'voyages' }],
  rules,
  releasesOf: (world) => world.list(VOYAGE).map((manifest) => releaseOf(manifest, world)),
};

function releaseOf(manifest: Manifest, world: World): Release {
  const spec = asObject(manifest.get('spec'));
  const namespace = world.namespaceOf(manifest);
  const [service, canary, route] = [spec.service, spec.canary, spec.route].map(asText) as [string, string, string];
  const weights = asList(spec.steps).map((step) => numberOf(asObject(step).weight) ?? 0);
  return {
    manifest,
    namespace,
    style: 'voyage',
    path: STEPS,
    steps: weights.map((_weight, index) => ({ path: [...STEPS, index], trafficPath: [...STEPS, index, 'weight'] })),
    needs: [],
    matches: [],
    traffic: {
      namespace,
      path: ['spec'],
      stableService: service,
      canaryService: canary,
      objects: [{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: route }],
      names: [service],
      notReached: { rule: 'rehearsal-incomplete', message: `nothing leads to ${service}`, path: ['spec', 'service'] },
    },
    play: (scope) => play(scope, { namespace, service, canary, route, weights }),
    advise: ({ rule }) => (rule === 'rehearsal-canary-gets-nothing' ? { fix: 'trim the sails' } : {}),
    remarksOn: () =>
      weights.at(-1) === 100 ? [] : [{ rule: rules['sail-no-return'], message: 'it never arrives', path: STEPS }],
  };
}

interface Voyage {
  readonly namespace: string;
  readonly service: string;
  readonly canary: string;
  readonly route: string;
  readonly weights: readonly number[];
}

function play(world: World, { namespace, service, canary, route, weights }: Voyage): ReleasePlay {
  const pods = (['stable', 'canary'] as const).map(
    (revision): PodGroup => ({ revision, replicas: 2, labels: { app: service, [REVISION]: revision } }),
  );
  const found = world.find(HTTP_ROUTE, route, namespace);
  const stop = { rule: 'rehearsal-controller-stuck', message: `HTTPRoute "${route}" does not exist` } as const;
  if (found === undefined) {
    const before: Moment = { phase: 'before', event: 'in port', world, pods };
    return {
      moments: [before],
      revisionLabel: REVISION,
      stop: { class: 'lost', message: 'lost', step: 0, remark: stop },
    };
  }
  const pinned = world.with(
    selecting(world, service, namespace, 'stable'),
    selecting(world, canary, namespace, 'canary'),
  );
  const at = (weight: number) => {
    const noted = withNote(pinned, canary, namespace, `${weight}%`);
    return noted.with(weighted(found, service, canary, weight));
  };
  const declared = (weight: number) => ({ share: weight / 100, matches: [] });
  return {
    revisionLabel: REVISION,
    moments: [
      { phase: 'before', event: 'in port', world: at(0), pods, declared: declared(0) },
      ...weights.map((weight, step): Moment => {
        const summary = `${weight}%`;
        return {
          phase: 'step',
          step,
          event: 'at sea',
          summary,
          world: at(weight),
          written: [{ kind: 'Service', namespace, name: canary }, found.ref],
          pods,
          declared: declared(weight),
          routesTraffic: true,
        };
      }),
      { phase: 'abort', step: 0, event: 'turned back', world: at(0), pods, declared: declared(0) },
    ],
  };
}

function selecting(world: World, name: string, namespace: string, revision: string): Manifest {
  const { object } = world.find('Service', name, namespace)!;
  const spec = asObject(object.spec);
  return Manifest.of({ ...object, spec: { ...spec, selector: { ...asObject(spec.selector), [REVISION]: revision } } });
}

function withNote(world: World, name: string, namespace: string, note: string): World {
  const { object } = world.find('Service', name, namespace)!;
  const metadata = { ...asObject(object.metadata), annotations: { 'sail.example.com/weight': note } };
  return world.with(Manifest.of({ ...object, metadata }));
}

/** Sail has a bug: it writes weights into the first rule only. */
function weighted({ object }: Manifest, service: string, canary: string, weight: number): Manifest {
  const spec = asObject(object.spec);
  const [first, ...others] = asList(spec.rules);
  const backendRefs = [
    { name: service, port: 80, weight: 100 - weight },
    { name: canary, port: 80, weight },
  ];
  return Manifest.of({
    ...object,
    spec: { ...spec, rules: [{ ...asObject(first), backendRefs }, ...others] } as JsonObject,
  });
}
