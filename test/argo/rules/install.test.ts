/** Which Deployments run the controller, and what the rules find in their flags and variables. */
import { describe, expect, it } from 'vitest';
import { checkArgoAlb } from '../../../src/argo/rules';
import { controllersOf, verifiesTargetGroups, watchedClasses } from '../../../src/argo/rules/install';
import { type Json, type JsonObject, Manifest, World } from '../../../src/core';

const deployment = (...containers: object[]): Manifest =>
  Manifest.of({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller', namespace: 'argo' },
    spec: {
      selector: { matchLabels: { app: 'argo' } },
      template: { metadata: { labels: { app: 'argo' } }, spec: { containers: containers as Json } },
    },
  } as JsonObject);
const argo = (container: object) => deployment({ name: 'argo-rollouts', ...container });
const AT = 'spec.template.spec.containers[0]';

describe('the controller', () => {
  const isOne = (container: object) => controllersOf({ world: World.of([deployment(container)]) }).length === 1;

  it.each([
    ['argo-rollouts', true],
    ['argo-rollouts:v1.9.1', true],
    ['argo-rollouts@sha256:0', true],
    ['quay.io/argoproj/argo-rollouts', true],
    ['quay.io/argoproj/argo-rollouts:v1.9.1', true],
    ['registry.example.com:5000/mirror/argo-rollouts:v1', true],
    ['quay.io/argoproj/kubectl-argo-rollouts:v1.9.1', false],
    ['quay.io/argoproj/argo-rollouts-plugin:v1', false],
    ['quay.io/argo-rollouts/web:v1', false],
    ['my-argo-rollouts:v1', false],
    ['', false],
  ])('is a container with the image %s: %s', (image, is) => {
    expect(isOne({ name: 'main', image })).toBe(is);
  });

  it('is a container with its name', () => {
    expect(isOne({ name: 'argo-rollouts', image: 'example.com/own' })).toBe(true);
    expect(isOne({ name: 'argo-rollouts' })).toBe(true);
    expect(isOne({ name: 'argo-rollouts-2' })).toBe(false);
  });

  it('is read with its command, its arguments and its variables, and their places', () => {
    const world = World.of([
      deployment(
        { name: 'side' },
        { name: 'argo-rollouts', command: ['run'], args: ['--a', '--b'], env: [{ name: 'X' }] },
      ),
    ]);
    const at = ['spec', 'template', 'spec', 'containers', 1];
    expect(controllersOf({ world })).toStrictEqual([
      {
        manifest: world.list('Deployment.apps')[0],
        path: at,
        args: [
          { text: 'run', path: [...at, 'command', 0] },
          { text: '--a', path: [...at, 'args', 0] },
          { text: '--b', path: [...at, 'args', 1] },
        ],
        env: [{ name: 'X', path: [...at, 'env', 0] }],
      },
    ]);
  });

  it.each([
    ['--aws-verify-target-group', true],
    ['--aws-verify-target-group=true', true],
    ['--alb-verify-weight', true],
    ['--aws-verify-target-group=false', false],
    ['--aws-verify-target-groups', false],
    ['x--alb-verify-weight', false],
  ])('verifies with %s: %s', (flag, verifies) => {
    expect(verifiesTargetGroups(World.of([argo({ args: ['--x', flag] })]))).toBe(verifies);
    expect(verifiesTargetGroups(World.of([argo({ command: [flag] })]))).toBe(verifies);
  });

  it.each<[string[], string[]]>([
    [[], ['alb']],
    [['--alb-ingress-classes=public'], ['public']],
    [
      ['--alb-ingress-classes', 'public', '--x', '--alb-ingress-classes=internal'],
      ['public', 'internal'],
    ],
    [['--alb-ingress-classes'], ['']],
    [['--alb-ingress-classes='], ['']],
    [['--alb-ingress-classes-other=x'], ['alb']],
  ])('with %j watches %j', (args, classes) => {
    expect(watchedClasses(args.map((text) => ({ text, path: [] })))).toEqual(classes);
  });
});

describe('the rules for the controller', () => {
  const found = (container: object) =>
    checkArgoAlb(World.of([argo(container)]))
      .filter(({ rule }) => rule.startsWith('argo-controller-'))
      .map(({ rule, path }) => `${rule} ${path?.replace(AT, '')}`);
  const REGION = [{ name: 'AWS_REGION', value: 'eu-west-1' }];

  it.each<[object, string[]]>([
    [{}, []],
    [{ args: ['--aws-region=eu-west-1'] }, ['argo-controller-flag-unknown .args[0]']],
    [{ args: ['--x', '--aws-region', 'eu-west-1'] }, ['argo-controller-flag-unknown .args[1]']],
    [{ args: ['--aws-regions=x'] }, []],
    [{ args: ['--alb-ingress-classes=a,b'] }, ['argo-controller-classes-joined .args[0]']],
    [{ args: ['--alb-ingress-classes=a'] }, []],
    [{ args: ['--nginx-ingress-classes=a,b'] }, []],
    [{ env: [{ name: 'X' }, { name: 'ROLLOUT_VERIFY_RETRY_INTERVAL' }] }, ['argo-controller-retry-interval .env[1]']],
    [{ args: ['--aws-verify-target-group'] }, ['argo-controller-without-region ']],
    [{ args: ['--aws-verify-target-group'], env: REGION }, []],
    [{ args: ['--aws-verify-target-group'], env: [{ name: 'AWS_DEFAULT_REGION', value: 'x' }] }, []],
    [
      { args: ['--aws-verify-target-group'], env: [{ name: 'REGION', value: 'x' }] },
      ['argo-controller-without-region '],
    ],
  ])('find in %j: %j', (container, findings) => {
    expect(found(container)).toEqual(findings);
  });
});
