import { stringify } from 'yaml';
import { runCase } from '../../../src/kruise/scripts/case-runner';
import type { ScriptTarget } from '../../../src/kruise/scripts/library';
import { readTestdata, type TestdataResult } from '../../../src/kruise/scripts/testdata';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua } from '../../../src/lua';

export const NGINX: ScriptTarget = { provider: 'ingress', classType: 'nginx' };
export const ROUTE: ScriptTarget = { provider: 'custom', group: 'example.com', kind: 'Route' };

/** A Rollout with these steps, v1beta1. */
export function rollout(steps: readonly object[], style = 'canary', more: object = {}) {
  const trafficRoutings = [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }];
  return {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: { [style]: { steps, trafficRoutings, ...more } },
    },
  };
}

export function trafficRouting(strategy: object) {
  return {
    apiVersion: 'rollouts.kruise.io/v1alpha1',
    kind: 'TrafficRouting',
    metadata: { name: 'web' },
    spec: { strategy, objectRef: [{ service: 'web' }] },
  };
}

/** A stable Ingress for the Service `web`. */
export function ingress(annotations?: Record<string, string>) {
  const backend = { service: { name: 'web', port: { number: 80 } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', ...(annotations ? { annotations } : {}) },
    spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  };
}

export function route(spec: object, metadata: object = {}) {
  return { apiVersion: 'example.com/v1', kind: 'Route', metadata: { name: 'web', ...metadata }, spec };
}

export function read(testdata: object | string, target: ScriptTarget): TestdataResult {
  return readTestdata(typeof testdata === 'string' ? testdata : stringify(testdata), 'case.yaml', target);
}

/** Runs a case that can be read. */
export function run(script: string, testdata: object | string, target: ScriptTarget, version?: KruiseRolloutVersion) {
  const { testdata: found, problems } = read(testdata, target);
  if (!found) throw new Error(problems.map(({ message }) => message).join('; '));
  return runCase(found, {
    target,
    script: compileLua(script),
    scriptFile: 'script.lua',
    version: version ?? KruiseRolloutVersion.LATEST,
  });
}

/** The result of each step: its status or its message. */
export function verdicts(
  script: string,
  testdata: object | string,
  target: ScriptTarget,
  version?: KruiseRolloutVersion,
) {
  return run(script, testdata, target, version).result.steps.map(({ status, message, differences }) =>
    status === 'passed' ? 'passed' : (message ?? differences),
  );
}
