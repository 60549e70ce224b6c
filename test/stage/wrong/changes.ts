/** Wrong changes to the model, each of which recordings must notice: `npm run stage -- wrong` counts how many do. */

/** One text in one file that is replaced with another. */
export interface WrongChange {
  readonly name: string;
  /** Whose recordings are asked: `kruise@0.6.2`. */
  readonly program: string;
  /** Below `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const WRONG_CHANGES: readonly WrongChange[] = [
  {
    name: 'blue-green ends as canary does',
    program: 'kruise@0.6.2',
    file: 'kruise/controller/play/steps.ts',
    from: "style === 'blueGreen' ? 'blueGreenSuccess' : 'success'",
    to: "'success'",
  },
  {
    name: 'patched labels never reach the canary Service',
    program: 'kruise@0.6.2',
    file: 'kruise/version.ts',
    from: 'patchesCanaryServiceSelector: true',
    to: 'patchesCanaryServiceSelector: false',
  },
  {
    name: 'the stable Service is pinned after the new pods are ready',
    program: 'kruise@0.6.2',
    file: 'kruise/version.ts',
    from: 'pinsStableServiceFirst: true',
    to: 'pinsStableServiceFirst: false',
  },
  {
    name: 'a Rollout has one kind of route',
    program: 'kruise@0.6.2',
    file: 'kruise/version.ts',
    from: 'combinesProviders: true',
    to: 'combinesProviders: false',
  },
  {
    name: 'no script runs for 0 %',
    program: 'kruise@0.6.2',
    file: 'kruise/version.ts',
    from: 'customRunsAtZero: true',
    to: 'customRunsAtZero: false',
  },
  {
    name: 'weight 0 clears the matches',
    program: 'kruise@0.5.5',
    file: 'kruise/version.ts',
    from: 'zeroWeightKeepsMatches: true',
    to: 'zeroWeightKeepsMatches: false',
  },
  {
    name: 'a roll-back deletes the canary Service first',
    program: 'kruise@0.6.2',
    file: 'kruise/version.ts',
    from: "rollback: [\n    'RestoreGateway',",
    to: "rollback: [\n    'RemoveCanaryService',\n    'RestoreGateway',",
  },
  {
    name: 'the weights of an HTTPRoute do not add up to 100',
    program: 'kruise@0.6.2',
    file: 'kruise/controller/gateway.ts',
    from: 'weight: 100 - weight',
    to: 'weight: 100',
  },
  {
    name: 'a canary Service has the labels of the stable one',
    program: 'kruise@0.6.2',
    file: 'kruise/controller/play/services.ts',
    from: 'options.copiesMetadata === true ? asObject(metadata) : {}',
    to: 'asObject(metadata)',
  },
  {
    name: 'an abort of Argo does not flap',
    program: 'argo@1.9.1',
    file: 'argo/controller/steps.ts',
    from: 'if (isSet(pingPong) || dynamicStableScale === true) return false;',
    to: 'if (!isSet(pingPong) || dynamicStableScale === true) return false;',
  },
  {
    name: 'ping-pong does not change sides',
    program: 'argo@1.9.1',
    file: 'argo/controller/steps.ts',
    from: "stable === 'ping' ? 'pong' : 'ping'",
    to: 'stable',
  },
];
