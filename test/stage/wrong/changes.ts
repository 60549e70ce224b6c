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
    file: 'kruise/facts.ts',
    from: "is: true, recordings: ['0.6.0/canary-patched-selector']",
    to: "is: false, recordings: ['0.6.0/canary-patched-selector']",
  },
  {
    name: 'the stable Service is pinned after the new pods are ready',
    program: 'kruise@0.6.2',
    file: 'kruise/facts.ts',
    from: "is: true, recordings: ['0.6.0/canary-nginx', '0.6.2/canary-nginx']",
    to: "is: false, recordings: ['0.6.0/canary-nginx', '0.6.2/canary-nginx']",
  },
  {
    name: 'a Rollout has one kind of route',
    program: 'kruise@0.6.2',
    file: 'kruise/facts.ts',
    from: "is: true,\n      recordings: ['0.6.0/canary-two-routes'",
    to: "is: false,\n      recordings: ['0.6.0/canary-two-routes'",
  },
  {
    name: 'no script runs for 0 %',
    program: 'kruise@0.6.2',
    file: 'kruise/facts.ts',
    from: "is: true, recordings: ['0.6.0/blueGreen-istio']",
    to: "is: false, recordings: ['0.6.0/blueGreen-istio']",
  },
  {
    name: 'weight 0 clears the matches',
    program: 'kruise@0.5.5',
    file: 'kruise/facts.ts',
    from: "is: true,\n      recordings: ['0.5.0/canary-only-matches'",
    to: "is: false,\n      recordings: ['0.5.0/canary-only-matches'",
  },
  {
    name: 'a roll-back deletes the canary Service first',
    program: 'kruise@0.6.2',
    file: 'kruise/facts.ts',
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
    file: 'argo/controller/going-back.ts',
    from: "asText(canaryService) === '' || isSet(pingPong)) return false;",
    to: "asText(canaryService) === '' || !isSet(pingPong)) return false;",
  },
  {
    name: 'ping-pong does not change sides',
    program: 'argo@1.9.1',
    file: 'argo/controller/steps.ts',
    from: "stable === 'ping' ? 'pong' : 'ping'",
    to: 'stable',
  },
];
