/** What each release of Kruise Rollouts does, as changes from the release before it, and what shows it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsOf, type Since } from '../../src/core/release-history';
import { parseVersionNumber } from '../../src/core/version-number';
import { KRUISE_HISTORY, type KruiseRolloutFacts } from '../../src/kruise/facts';
import { KruiseRolloutVersion } from '../../src/kruise/version';

const texts = (text: string) => text.split(' ');
const ISTIO_KINDS = texts('DestinationRule.networking.istio.io VirtualService.networking.istio.io');
const GATES = texts('RolloutHistory AdvancedDeployment');

const OLD_END = texts(
  'RestoreStableService ResumeWorkload RouteTrafficToStable RestoreGatewayAndRemoveCanaryService ReleaseWorkloadControl',
);
const OLD_ROUTES = texts('RestoreStableService RouteTrafficToStable RestoreGatewayAndRemoveCanaryService');
const END = texts('RestoreStableService RestoreGateway RemoveCanaryService ResumeWorkload ReleaseWorkloadControl');

const FIRST = {
  emptyTable: '[]',
  builtinIngressScripts: texts('aliyun-alb higress nginx'),
  builtinCustomScripts: [],
  customNetworkRefs: false,
  ingressRequestHeaderModifier: false,
  customRequestHeaderModifier: false,
  pathAndQueryMatches: false,
  disableGenerateCanaryService: false,
  blueGreen: false,
  customRunsAtZero: false,
  canaryIngressCreatedIn: 'Initialize',
  storedApiVersion: 'v1alpha1',
  featureGates: GATES,
  partitionPercentLimitFlag: false,
  statefulSetWebhooks: true,
  grantedCustomKinds: [],
  watchesCustomKinds: true,
  advancedDaemonSets: false,
  labelsWorkloads: false,
  trafficRoutings: false,
  electsWithConfigMap: true,
  api: '0.3',
  nativeDaemonSets: false,
  pinsStableServiceFirst: false,
  skipsRoutingWithoutOldPods: false,
  unpinsWithoutCanaryService: false,
  combinesProviders: false,
  patchesCanaryServiceSelector: false,
  copiesServiceMetadata: false,
  zeroWeightKeepsMatches: false,
  finalising: {
    success: OLD_END,
    blueGreenSuccess: OLD_END,
    rollback: OLD_END,
    unroutedStep: OLD_ROUTES,
    continuous: [...OLD_ROUTES, 'ReleaseWorkloadControl'],
    deletion: OLD_END,
  },
  jumps: false,
  countsPodsBeforeJump: false,
  waitsForPodLabels: false,
  readsStyleByCase: false,
  keepsStepOfChangedPlan: false,
  validation: '0.3',
  gatewayApiTypes: '0.4',
};

const CHANGES: Readonly<Record<string, object>> = {
  '0.4.0': {
    builtinIngressScripts: texts('aliyun-alb higress mse nginx'),
    ingressRequestHeaderModifier: true,
    canaryIngressCreatedIn: 'EnsureRoutes',
    advancedDaemonSets: true,
    labelsWorkloads: true,
    trafficRoutings: true,
    api: '0.4',
    zeroWeightKeepsMatches: true,
  },
  '0.5.0': {
    builtinCustomScripts: ISTIO_KINDS,
    customNetworkRefs: true,
    storedApiVersion: 'v1beta1',
    readsStyleByCase: true,
    grantedCustomKinds: ISTIO_KINDS,
    electsWithConfigMap: false,
    api: '0.5',
    gatewayApiTypes: '0.5',
  },
  '0.5.1': { readsStyleByCase: false },
  '0.5.4': { featureGates: [...GATES, 'AppendPodSelector', 'KeepWorkloadPausedOnRolloutDeletion'] },
  '0.6.0': {
    emptyTable: 'null',
    customRequestHeaderModifier: true,
    pathAndQueryMatches: true,
    disableGenerateCanaryService: true,
    blueGreen: true,
    customRunsAtZero: true,
    featureGates: [...GATES, 'AppendPodSelector'],
    partitionPercentLimitFlag: true,
    statefulSetWebhooks: false,
    api: '0.6',
    pinsStableServiceFirst: true,
    skipsRoutingWithoutOldPods: true,
    unpinsWithoutCanaryService: true,
    combinesProviders: true,
    patchesCanaryServiceSelector: true,
    finalising: {
      success: END,
      blueGreenSuccess: texts(
        'RouteTrafficToNew RestoreStableService ResumeWorkload RestoreGateway RemoveCanaryService ReleaseWorkloadControl',
      ),
      rollback: texts('RestoreGateway ResumeWorkload ReleaseWorkloadControl RestoreStableService RemoveCanaryService'),
      unroutedStep: texts('RestoreStableService RestoreGateway RemoveCanaryService'),
      continuous: texts('RestoreGateway ReleaseWorkloadControl RemoveCanaryService'),
      deletion: END,
    },
    jumps: true,
    keepsStepOfChangedPlan: true,
    validation: '0.6',
    gatewayApiTypes: '0.7',
  },
  '0.6.1': { waitsForPodLabels: true },
  '0.6.2': { countsPodsBeforeJump: true },
  '0.7.0': {
    featureGates: [...GATES, 'AppendPodSelector', 'KeepWorkloadPausedOnRolloutDeletion'],
    watchesCustomKinds: false,
    api: 'next',
    nativeDaemonSets: true,
    copiesServiceMetadata: true,
  },
};

/** The facts that the changes up to one add up to. */
const upTo = (last: string | undefined) => {
  const names = Object.keys(CHANGES);
  const reached = last === undefined ? [] : names.slice(0, names.indexOf(last) + 1);
  return Object.assign({}, FIRST, ...reached.map((name) => CHANGES[name])) as object;
};
const factsAt = (release: string): KruiseRolloutFacts => factsOf(KRUISE_HISTORY, parseVersionNumber(release)!);

describe('the facts of a release', () => {
  it.each<[release: string, lastChange: string | undefined]>([
    ['0.1.0', undefined],
    ['0.3.0', undefined],
    ['0.3.99', undefined],
    ['0.4.0', '0.4.0'],
    ['0.4.4', '0.4.0'],
    ['0.4.99', '0.4.0'],
    ['0.5.0', '0.5.0'],
    ['0.5.1', '0.5.1'],
    ['0.5.3', '0.5.1'],
    ['0.5.4', '0.5.4'],
    ['0.5.5', '0.5.4'],
    ['0.5.99', '0.5.4'],
    ['0.6.0', '0.6.0'],
    ['0.6.1', '0.6.1'],
    ['0.6.2', '0.6.2'],
    ['0.6.99', '0.6.2'],
    ['0.7.0', '0.7.0'],
    ['1.0.0', '0.7.0'],
  ])('%s are those after the changes of %s', (release, lastChange) => {
    expect(factsAt(release)).toEqual(upTo(lastChange));
  });

  it('count for each known release, and for the branch after them', () => {
    const known = '0.3.0 0.4.0 0.4.1 0.4.2 0.4.3 0.4.4 0.5.0 0.5.1 0.5.2 0.5.3 0.5.4 0.5.5 0.6.0 0.6.1 0.6.2';
    expect(KruiseRolloutVersion.ALL.map(String).join(' ')).toBe(known.replace(/0\.\d/g, 'v$&'));
    for (const { version, facts } of KruiseRolloutVersion.ALL) expect(facts, version).toEqual(factsAt(version));
    expect(KruiseRolloutVersion.NEXT.version).toBe('0.7.0-next');
    expect(KruiseRolloutVersion.NEXT.facts).toEqual(upTo('0.7.0'));
    const named = { V0_3_0: '0.3.0', V0_4_0: '0.4.0', V0_4_4: '0.4.4', V0_5_0: '0.5.0', V0_5_5: '0.5.5' };
    for (const [name, version] of Object.entries({ ...named, V0_6_0: '0.6.0', V0_6_1: '0.6.1', V0_6_2: '0.6.2' })) {
      expect(KruiseRolloutVersion[name as 'V0_3_0'].version).toBe(version);
    }
  });
});

describe('what shows a fact', () => {
  const entries = Object.entries(KRUISE_HISTORY as Readonly<Record<string, readonly Since<unknown>[]>>).flatMap(
    ([fact, history]) => history.map((entry) => ({ ...entry, fact })),
  );

  it('is a recording that exists, wherever recordings are named', () => {
    const folder = join(__dirname, '../stage/recordings/kruise');
    const named = entries.flatMap(({ recordings = [] }) => recordings);
    expect(named.filter((name) => !existsSync(join(folder, `${name}.json`)))).toEqual([]);
    expect(entries.filter(({ recordings }) => recordings?.length === 0)).toEqual([]);
  });

  it('is the end of each release by canary and partition style, and of each by blue-green style since 0.6', () => {
    const ends = texts('canary-nginx canary-rollback-2 canary-third-2 canary-delete-2 partition-nginx');
    const of = (release: string, labs: readonly string[]) => labs.map((lab) => `${release}/${lab}`);
    expect(KRUISE_HISTORY.finalising.map(({ recordings }) => recordings)).toEqual([
      [...of('0.5.0', ends), ...of('0.5.5', ends)],
      of('0.6.2', [...ends, ...texts('blueGreen-nginx blueGreen-rollback-2 blueGreen-delete-2')]),
    ]);
  });

  it('is a file of the sources for each, and a recording of the releases on both sides for many', () => {
    expect(entries.filter(({ source }) => source === undefined)).toEqual([]);
    const recorded = entries.filter(({ recordings }) => recordings !== undefined);
    expect(recorded.map(({ fact, from }) => `${fact} ${from}`)).toEqual([
      ...['builtinIngressScripts 0.4.0', 'builtinCustomScripts 0.5.0', 'customNetworkRefs 0.5.0'],
      ...['ingressRequestHeaderModifier 0.4.0', 'disableGenerateCanaryService 0.6.0', 'blueGreen 0.6.0'],
      ...['customRunsAtZero 0.5.0', 'customRunsAtZero 0.6.0', 'canaryIngressCreatedIn 0.4.0'],
      ...['validation 0.3.0', 'validation 0.6.0'],
      ...['pinsStableServiceFirst 0.3.0', 'pinsStableServiceFirst 0.6.0'],
      ...['unpinsWithoutCanaryService 0.3.0', 'unpinsWithoutCanaryService 0.6.0'],
      ...['skipsRoutingWithoutOldPods 0.3.0', 'skipsRoutingWithoutOldPods 0.6.0'],
      ...['combinesProviders 0.3.0', 'combinesProviders 0.6.0'],
      ...['patchesCanaryServiceSelector 0.3.0', 'patchesCanaryServiceSelector 0.6.0', 'copiesServiceMetadata 0.3.0'],
      ...['zeroWeightKeepsMatches 0.4.0', 'finalising 0.3.0', 'finalising 0.6.0', 'jumps 0.3.0', 'jumps 0.6.0'],
      ...[
        'readsStyleByCase 0.5.0',
        'readsStyleByCase 0.5.1',
        'waitsForPodLabels 0.3.0',
        'waitsForPodLabels 0.6.1',
        'countsPodsBeforeJump 0.3.0',
        'countsPodsBeforeJump 0.6.2',
        'keepsStepOfChangedPlan 0.3.0',
        'keepsStepOfChangedPlan 0.6.0',
      ],
    ]);
  });
});
