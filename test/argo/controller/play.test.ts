import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARGO_REVISION_LABEL,
  type ArgoMoment,
  type ArgoPlay,
  playArgoBlueGreen,
  playArgoCanary,
  playArgoDeletion,
} from '../../../src/argo/controller';
import { Manifest, World } from '../../../src/core';
import { actionOf, BOOKS, conditionsOf, forward, ingressOf, pathTo, rolloutOf, SCHEME } from './manifests';

const template = {
  metadata: { labels: { app: 'shop' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web', ports: [{ containerPort: 80 }] }] },
};
const spec = { selector: { matchLabels: { app: 'shop' } }, template };
const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: { selector: { app: 'shop' }, ports: [{ port: 80 }] },
});
const route = (match: object[] | undefined) => ({ setHeaderRoute: { name: 'beta', ...(match && { match }) } });
const MATCH = [{ headerName: 'x-beta', headerValue: { exact: '1' } }];

function worldOf(rollout: object, ...more: object[]): { readonly world: World; readonly manifest: Manifest } {
  const manifest = Manifest.of(rollout);
  return { manifest, world: World.of([manifest, ...more.map((object) => Manifest.of(object))]) };
}

function canaryOf(options: Parameters<typeof rolloutOf>[0], ...more: object[]) {
  const services = ['stable', 'canary', 'ping', 'pong'].map(service);
  const { world, manifest } = worldOf(rolloutOf({ spec, ...options }), ...services, ...more);
  return { manifest, play: playArgoCanary(world, manifest)! };
}

const hashOf = (moment: ArgoMoment, name: string) =>
  moment.world.find('Service', name, 'shop')?.get(['spec', 'selector', ARGO_REVISION_LABEL]);
const annotationOf = (moment: ArgoMoment, key: string, name = 'shop') =>
  moment.world.find('Ingress.networking.k8s.io', name, 'shop')?.annotations[key];
const eventsOf = ({ moments }: ArgoPlay) =>
  moments.map(({ phase, step, event }) => `${phase}${step === undefined ? '' : ` ${step}`}: ${event}`);
const podsOf = ({ pods }: ArgoMoment) =>
  pods.filter(({ replicas }) => replicas > 0).map(({ revision, replicas }) => `${replicas} ${revision}`);

describe('a simulated canary', () => {
  const { play } = canaryOf(
    { canary: { steps: [{ setWeight: 20 }, { pause: {} }] } },
    ingressOf({ annotations: SCHEME }),
  );

  it('goes from idle through its steps to the end, and aborts in a separate branch', () => {
    expect(play.error).toBeUndefined();
    expect(eventsOf(play)).toEqual([
      'before: idle',
      'prepare 0: no pod of the new version is ready',
      'step 0: setWeight',
      'step 1: pause',
      'finish: all steps are done',
      'finish: the new version is stable',
      'finish: the old pods are gone',
      'abort 0: aborted, and the steps begin again',
      'abort 0: Service canary goes to the new pods and back at each reconcile',
      'abort 0: the new pods are gone',
    ]);
  });

  it('writes the action, which exists as long as the Rollout', () => {
    expect(play.moments.map((moment) => annotationOf(moment, actionOf('stable')))).toEqual(
      [0, 0, 20, 20, 100, 0, 0, 0, 0, 0].map((weight) => forward(['canary', weight], ['stable', 100 - weight])),
    );
    expect(annotationOf(play.moments[0]!, BOOKS)).toBe(JSON.stringify({ shop: [actionOf('stable')] }));
  });

  it('switches the canary Service once its pods are ready, the stable one at the end, and the canary Service back on an abort', () => {
    expect(play.moments.map((moment) => [hashOf(moment, 'stable'), hashOf(moment, 'canary')])).toEqual([
      ['stable', 'stable'],
      ['stable', 'stable'],
      ['stable', 'canary'],
      ['stable', 'canary'],
      ['stable', 'canary'],
      ['canary', 'canary'],
      ['canary', 'canary'],
      ['stable', 'stable'],
      ['stable', 'canary'],
      ['stable', 'stable'],
    ]);
    expect(play.moments[2]!.world.find('Service', 'canary', 'shop')?.annotations).toEqual({
      'argo-rollouts.argoproj.io/managed-by-rollouts': 'shop',
    });
  });

  it('has the number of pods that the steps set', () => {
    expect(play.moments.map(podsOf)).toEqual([
      ['5 stable'],
      ['5 stable'],
      ['5 stable', '1 canary'],
      ['5 stable', '1 canary'],
      ['5 stable', '5 canary'],
      ['5 stable', '5 canary'],
      ['5 canary'],
      ['5 stable', '1 canary'],
      ['5 stable', '1 canary'],
      ['5 stable'],
    ]);
    const names = play.moments[2]!.world.list('Pod').map(({ name, labels }) => [name, labels]);
    expect(names).toEqual([
      ['shop-canary', { app: 'shop', [ARGO_REVISION_LABEL]: 'canary' }],
      ['shop-stable', { app: 'shop', [ARGO_REVISION_LABEL]: 'stable' }],
    ]);
  });

  it('has pods even if the Rollout is scaled to zero', () => {
    const canary = { steps: [{ setWeight: 20 }] };
    const { play: scaled } = canaryOf({ spec: { ...spec, replicas: 0 }, canary }, ingressOf({ annotations: SCHEME }));
    expect(scaled.moments.slice(0, 3).map(podsOf)).toEqual([['1 stable'], ['1 stable'], ['1 stable', '1 canary']]);
  });

  it('loses the new pods with the abort without a delay, and its canary Service comes to rest at once', () => {
    const canary = { steps: [{ setWeight: 20 }], abortScaleDownDelaySeconds: 0 };
    const { play: gone } = canaryOf({ canary }, ingressOf({ annotations: SCHEME }));
    expect(eventsOf(gone).slice(-2)).toEqual([
      'abort 0: aborted, and the steps begin again',
      'abort 0: the new pods are gone',
    ]);
    expect(gone.moments.slice(-2).map((moment) => hashOf(moment, 'canary'))).toEqual(['stable', 'stable']);
  });

  it('keeps the old pods for good with a delay of 0', () => {
    const canary = { steps: [{ setWeight: 20 }], scaleDownDelaySeconds: 0 };
    const { play: kept } = canaryOf({ canary }, ingressOf({ annotations: SCHEME }));
    const end = kept.moments.filter(({ phase }) => phase === 'finish');
    expect(end.map(podsOf)).toEqual([
      ['5 stable', '5 canary'],
      ['5 stable', '5 canary'],
    ]);
    expect(end.at(-1)).toMatchObject({ event: 'the new version is stable, and the old pods stay' });
    expect(end.at(-1)).not.toHaveProperty('lasts');
  });

  it('removes stable pods with dynamicStableScale, and restores them after an abort', () => {
    const canary = { steps: [{ setWeight: 40 }], dynamicStableScale: true };
    const { play: small } = canaryOf({ canary }, ingressOf({ annotations: SCHEME }));
    expect(small.moments.map(podsOf)).toEqual([
      ['5 stable'],
      ['5 stable'],
      ['3 stable', '2 canary'],
      // They follow the weight only after the Services have moved.
      ['3 stable', '5 canary'],
      ['5 canary'],
      ['3 stable', '2 canary'],
      ['4 stable', '1 canary'],
      ['5 stable', '1 canary'],
      ['5 stable'],
    ]);
    // The weight falls as the stable pods come back, and the canary Service stays until then.
    expect(small.moments.slice(-4).map((moment) => annotationOf(moment, actionOf('stable')))).toEqual([
      forward(['canary', 40], ['stable', 60]),
      forward(['canary', 20], ['stable', 80]),
      forward(['canary', 0], ['stable', 100]),
      forward(['canary', 0], ['stable', 100]),
    ]);
    expect(small.moments.slice(-4).map((moment) => hashOf(moment, 'canary'))).toEqual([
      'canary',
      'canary',
      'stable',
      'stable',
    ]);
    expect(small.moments.at(-3)!.declared).toBeUndefined();
  });
});

describe('simulated header routes', () => {
  const steps = [
    { setCanaryScale: { replicas: 1 } },
    route(MATCH),
    { setWeight: 20 },
    route(undefined),
    { setWeight: 50 },
  ];
  const { play, manifest } = canaryOf(
    { canary: { steps }, managedRoutes: ['beta'] },
    ingressOf({ annotations: SCHEME, rules: [{ host: 'shop.example.com', http: { paths: [pathTo('stable')] } }] }),
  );
  const stepOf = (index: number) => play.moments.find(({ phase, step }) => phase === 'step' && step === index)!;

  it('are declared from setting to removal', () => {
    const names = play.moments.map(({ declared }) => declared?.headerRoutes.map(({ name }) => name).join());
    expect(names).toEqual(['', undefined, '', 'beta', 'beta', '', '', '', '', '', '', '', '']);
  });

  it('are in annotations and paths while they are set', () => {
    const paths = (moment: ArgoMoment) =>
      moment.world.find('Ingress.networking.k8s.io', 'shop', 'shop')!.get('spec.rules[0].http.paths');
    expect(annotationOf(stepOf(1), actionOf('beta'))).toBe(forward(['canary', 100]));
    expect(paths(stepOf(2))).toEqual([pathTo('beta'), pathTo('stable')]);
    expect(annotationOf(stepOf(3), conditionsOf('beta'))).toBeUndefined();
    expect(paths(stepOf(3))).toEqual([pathTo('stable')]);
  });

  it('are aborted at the first step that has one', () => {
    const [aborted] = play.moments.filter(({ phase }) => phase === 'abort');
    expect(aborted!.step).toBe(1);
    expect(annotationOf(aborted!, conditionsOf('beta'))).toBeUndefined();
  });

  it('prevent the reset of the Ingress when the Rollout is deleted', () => {
    expect(playArgoDeletion(stepOf(2), manifest)).toMatchObject({ givenUp: [{ ingress: 'shop' }] });

    const { givenUp, world } = playArgoDeletion(stepOf(4), manifest);
    expect(givenUp).toEqual([]);
    expect(world.find('Ingress.networking.k8s.io', 'shop', 'shop')?.annotations).toEqual({
      ...SCHEME,
      [actionOf('stable')]: forward(['stable', 100]),
    });
    expect(world.find('Rollout.argoproj.io', 'shop', 'shop')).toBeUndefined();
  });
});

describe('simulated ping and pong', () => {
  const canary = {
    stableService: undefined,
    canaryService: undefined,
    pingPong: { pingService: 'ping', pongService: 'pong' },
    steps: [{ setWeight: 20 }],
  };
  const ingress = ingressOf({ annotations: SCHEME, rules: [{ http: { paths: [pathTo('root')] } }] });
  const { play } = canaryOf({ canary, alb: { rootService: 'root' } }, ingress);

  it('switch before the pods are ready, and swap at the end', () => {
    expect(play.services).toEqual(['ping', 'pong']);
    expect(play.moments.map((moment) => [hashOf(moment, 'pong'), hashOf(moment, 'ping')])).toEqual([
      [undefined, 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
      ['canary', 'stable'],
    ]);
    expect(play.moments.slice(2, 5).map((moment) => annotationOf(moment, actionOf('root')))).toEqual([
      forward(['pong', 20], ['ping', 80]),
      forward(['pong', 100], ['ping', 0]),
      forward(['ping', 0], ['pong', 100]),
    ]);
  });

  it('begin with pong as the stable one where a live canary gets them', () => {
    const migrated = worldOf(
      { ...rolloutOf({ spec, canary, alb: { rootService: 'root' } }), status: { canary: {} } },
      service('ping'),
      service('pong'),
      ingress,
    );
    const { moments } = playArgoCanary(migrated.world, migrated.manifest)!;
    expect(annotationOf(moments[2]!, actionOf('root'))).toBe(forward(['ping', 20], ['pong', 80]));
  });
});

describe('simulated experiments', () => {
  const experiment = {
    templates: [
      { name: 'new', specRef: 'canary', weight: 10, replicas: 2 },
      { name: 'old', specRef: 'stable', weight: 5, service: { name: 'baseline' } },
      { name: 'idle', specRef: 'canary' },
    ],
  };
  const { play } = canaryOf(
    { canary: { steps: [{ setWeight: 20 }, { experiment }, { setWeight: 40 }] } },
    ingressOf({ annotations: SCHEME }),
  );
  const [at, over] = play.moments.filter(({ phase, step }) => phase === 'step' && step === 1);
  const after = play.moments.find(({ step }) => step === 2);
  const last = play.moments.filter(({ phase }) => phase === 'finish').at(-1);

  it('have Services, pods and weights during their step, and Services and pods until the end', () => {
    expect(annotationOf(at!, actionOf('stable'))).toBe(
      forward(['canary', 20], ['shop-1-new', 10], ['baseline', 5], ['stable', 65]),
    );
    expect(hashOf(at!, 'shop-1-new')).toBe('canary-new');
    expect(podsOf(at!)).toEqual(['5 stable', '1 canary', '2 canary', '1 stable']);
    expect(at!.declared?.weight).toBe(30);
    expect(annotationOf(over!, actionOf('stable'))).toBe(forward(['canary', 20], ['stable', 80]));
    expect(over!.declared?.weight).toBe(20);
    expect(hashOf(after!, 'shop-1-new')).toBe('canary-new');
    expect(last!.event).toBe('the pods of the experiment are gone');
    expect(last!.world.find('Service', 'shop-1-new', 'shop')).toBeUndefined();
    expect(play.services).toEqual(['shop-1-new', 'baseline']);
  });

  it('have no Service without a port of a container', () => {
    const bare = {
      ...spec,
      template: { ...template, spec: { containers: [{ name: 'web', image: 'example.com/web' }] } },
    };
    const { play: without } = canaryOf(
      { spec: bare, canary: { steps: [{ experiment }] } },
      ingressOf({ annotations: SCHEME }),
    );
    const step = without.moments.find(({ phase }) => phase === 'step')!;
    expect(annotationOf(step, actionOf('stable'))).toContain('{"ServicePort":"80","Weight":10}');
    expect(without.services).toEqual([]);
  });
});

describe('a simulation that stops', () => {
  it('returns the error and the steps before it', () => {
    const steps = [{ setWeight: 20 }, route(MATCH)];
    const rules = [{ http: { paths: [pathTo('stable')] } }, { host: 'old.example.com' }];
    const { play } = canaryOf({ canary: { steps } }, ingressOf({ annotations: SCHEME, rules }));
    const { play: missing } = canaryOf({ canary: { steps } });

    expect(play.error).toMatchObject({ class: 'panic', ingress: 'shop', path: 'spec.rules[1].http', step: 1 });
    expect(eventsOf(play)).toEqual([
      'before: idle',
      'prepare 0: no pod of the new version is ready',
      'step 0: setWeight',
    ]);
    expect(missing.error).toMatchObject({ class: 'not-found', step: 0 });
    expect(eventsOf(missing)).toEqual(['before: idle']);
  });

  it('is undefined for other kinds of Rollout', () => {
    const { world, manifest } = worldOf({
      ...rolloutOf(),
      spec: { ...spec, strategy: { blueGreen: { activeService: 'a' } } },
    });
    expect(playArgoCanary(world, manifest)).toBeUndefined();
    expect(playArgoBlueGreen(world, Manifest.of(rolloutOf()))).toBeUndefined();
  });
});

describe('a simulated blue-green release', () => {
  const blueGreen = { activeService: 'stable', previewService: 'canary' };
  const { world, manifest } = worldOf(
    { ...rolloutOf(), spec: { ...spec, replicas: 3, strategy: { blueGreen } } },
    service('stable'),
    service('canary'),
  );
  const play = playArgoBlueGreen(world, manifest)!;

  it('switches the preview Service before its pods exist, then the active one, and the active one back on an abort', () => {
    expect(
      play.moments.map((moment) => [moment.phase, hashOf(moment, 'stable'), hashOf(moment, 'canary'), podsOf(moment)]),
    ).toEqual([
      ['before', 'stable', 'stable', ['3 stable']],
      ['prepare', 'stable', 'canary', ['3 stable']],
      ['prepare', 'stable', 'canary', ['3 stable', '3 canary']],
      ['finish', 'canary', 'canary', ['3 stable', '3 canary']],
      ['finish', 'canary', 'canary', ['3 canary']],
      ['abort', 'stable', 'canary', ['3 stable', '3 canary']],
      ['abort', 'stable', 'canary', ['3 stable']],
    ]);
  });

  it('previews with fewer pods, and keeps the new pods after an abort with a delay of 0', () => {
    const few = { ...blueGreen, previewReplicaCount: 1, abortScaleDownDelaySeconds: 0 };
    const rollout = Manifest.of({ ...rolloutOf(), spec: { ...spec, replicas: 3, strategy: { blueGreen: few } } });
    expect(eventsOf(playArgoBlueGreen(world, rollout)!)).toEqual([
      'before: idle',
      'prepare: no pod of the new version is ready',
      'prepare: 1 of 3 new pods are ready',
      'prepare: the new pods are ready',
      'finish: Service stable selects the new pods',
      'finish: the old pods are gone',
      'abort: aborted, and Service stable selects the old pods',
    ]);
  });
});

describe('any steps', () => {
  const step = fc.oneof(
    fc.record({ setWeight: fc.integer({ min: 0, max: 100 }) }),
    fc.constant({ pause: {} }),
    fc.record({ setCanaryScale: fc.record({ replicas: fc.integer({ min: 0, max: 5 }) }) }),
    fc.constant({ setCanaryScale: { matchTrafficWeight: true } }),
    fc.constant(route(MATCH)),
    fc.constant(route(undefined)),
    fc.record({ experiment: fc.record({ templates: fc.constant([{ name: 'a', specRef: 'canary', weight: 5 }]) }) }),
    fc.constant({}),
  );

  it('are simulated to the end, where all pods are new, and give the canary no weight without pods', () => {
    const property = fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      const { play } = canaryOf({ canary: { steps }, managedRoutes: ['beta'] }, ingressOf({ annotations: SCHEME }));
      expect(play.error).toBeUndefined();
      const played = play.moments.filter(({ phase, event }) => phase === 'step' && event !== 'the experiment is over');
      expect(played.map((moment) => moment.step)).toEqual([...steps.keys()]);
      const last = play.moments.filter(({ phase }) => phase === 'finish').at(-1)!;
      expect(podsOf(last)).toEqual(['5 canary']);
      expect(hashOf(last, 'stable')).toBe('canary');
      for (const moment of play.moments) {
        const weight = /"ServiceName":"canary","ServicePort":"80","Weight":(\d+)/.exec(
          annotationOf(moment, actionOf('stable'))!,
        )![1];
        const canary = moment.pods.filter(({ labels }) => labels?.[ARGO_REVISION_LABEL] === 'canary');
        if (canary.every(({ replicas }) => replicas === 0)) expect(weight).toBe('0');
      }
    });
    fc.assert(property, { seed: 20260817, numRuns: 60 });
  });
});
