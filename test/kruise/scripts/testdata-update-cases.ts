import type { Json } from '../../../src/core/json';
import type { Outcome, PlayedStep } from '../../../src/kruise/scripts/case-runner';
import type { ScriptTarget } from '../../../src/kruise/scripts/library';
import { type TestdataUpdate, updateTestdata } from '../../../src/kruise/scripts/testdata-update';
import { NGINX, ROUTE, read } from './cases';

/** The start of a testdata file in block style, with an indentation of 2. */
export const HEAD = `rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  spec: {strategy: {canary: {steps: [{traffic: 20%}], trafficRoutings: [{service: web}]}}}
original:
  apiVersion: example.com/v1
  kind: Route
`;
export const INGRESS_HEAD = HEAD.replace('example.com/v1', 'networking.k8s.io/v1').replace('Route', 'Ingress');

export const ABSENT: Outcome = { kind: 'absent' };
export const object = (spec: Json | undefined, annotations: Json = {}, labels: Json = {}): Outcome => ({
  kind: 'object',
  annotations,
  labels,
  ...(spec === undefined ? {} : { spec }),
});
export const failure = (message: string): Outcome => ({ kind: 'error', error: { class: 'lua', message } });

/** Updates a file to what its steps have written. */
export function update(text: string, outcomes: readonly Outcome[], target: ScriptTarget = ROUTE): TestdataUpdate {
  const played = outcomes.map((outcome, index): PlayedStep => {
    return { name: `step ${index}`, key: `step_${index}`, outcome, stdout: '' };
  });
  const { testdata, problems } = read(text, target);
  if (testdata === undefined) throw new Error(problems.map(({ message }) => message).join('; '));
  return updateTestdata(text, testdata, played, target);
}

/** The new text behind {@link HEAD}, which stays as it is. */
export function updatedEnd(end: string, outcomes: readonly Outcome[]): string {
  return endOf(HEAD, update(HEAD + end, outcomes));
}

/** The same for an ingress script. */
export function updatedIngress(end: string, outcomes: readonly Outcome[]): string {
  return endOf(INGRESS_HEAD, update(INGRESS_HEAD + end, outcomes, NGINX));
}

function endOf(head: string, { text, refused }: TestdataUpdate): string {
  if (refused !== undefined || !text.startsWith(head)) return `${refused}: ${text}`;
  return text.slice(head.length);
}
