import type { ListedCommand } from '../command';

/** In the order in which the help lists them. The code of a command is loaded when it is asked for. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'check',
    summary: 'Check manifests of all systems against every rule, and rehearse their Rollouts',
    load: () => import('./check'),
  },
  {
    name: 'rehearse',
    summary: 'Play Rollouts through controller and load balancer: where does each request go, at every step',
    load: () => import('./rehearse'),
  },
  {
    name: 'diff',
    summary: 'Say what a change does to releases, and what happens when it is merged',
    load: () => import('./diff'),
  },
  {
    name: 'route',
    summary: 'Show who answers a request: the rule that takes it, the Services, their shares and their pods',
    load: () => import('./route'),
  },
  {
    name: 'playground',
    summary: 'Write and open a page to play with manifests: findings and rehearsal while you type, without a server',
    load: () => import('./playground'),
  },
  {
    name: 'upgrade',
    summary: 'Say what changes for these manifests when the cluster gets another release of a controller',
    load: () => import('./upgrade'),
  },
  {
    name: 'doctor',
    summary: 'Ask a cluster, question by question, why a Rollout or an environment does not do what it should',
    load: () => import('./doctor'),
  },
  {
    name: 'watch',
    summary:
      'Follow a release in a cluster: where requests go now, what comes next, who has to act, what is not as rehearsed',
    load: () => import('./watch'),
  },
  {
    name: 'cluster pull',
    summary:
      'Write the versions, routing scripts and classes of a cluster, so that repositories are checked as it does it',
    load: () => import('./cluster-pull'),
  },
  {
    name: 'env preview',
    summary: 'Show which workload answers which virtual environment of KtEnv, and why',
    load: () => import('./env-preview'),
  },
  {
    name: 'explain',
    summary: 'Explain what a rule finds, why it matters, and what to do, with an example',
    load: () => import('./explain'),
  },
  {
    name: 'rules',
    summary: 'List every rule',
    load: () => import('./rules'),
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schemas of all kinds, with descriptions, for editors and validators',
    load: () => import('./schema'),
  },
  {
    name: 'krm',
    summary: 'Validate for kustomize and kpt: a ResourceList on stdin, with the findings as results on stdout',
    load: () => import('./krm'),
  },
  {
    name: 'init',
    summary: 'Write a new cdk8s app that is checked and rehearsed, with jobs for GitHub and GitLab',
    load: () => import('./init'),
  },
  {
    name: 'import',
    summary: 'Write the TypeScript, with the constructs of this library, that writes the same objects as manifests do',
    load: () => import('./import'),
  },
  {
    name: 'export routing',
    summary: 'Print the ConfigMap of routing scripts for Kruise Rollouts, as YAML',
    load: () => import('./export-routing'),
  },
  {
    name: 'export rbac',
    summary: 'Print the permissions of Kruise Rollouts for the objects of a gateway, as YAML',
    load: () => import('./export-rbac'),
  },
  {
    name: 'export iam',
    summary: 'Print the IAM documents with which Argo Rollouts verifies target groups, as JSON',
    load: () => import('./export-iam'),
  },
  {
    name: 'report merge',
    summary: 'Put the JSON reports of several shards together, in any format',
    load: () => import('./report-merge'),
  },
  {
    name: 'test',
    summary: 'Test Lua routing scripts with their testdata, as the controller runs them',
    load: () => import('./test'),
  },
  {
    name: 'debug',
    summary: 'Write the obj of a test case as Lua, to step through the script in a debugger',
    load: () => import('./debug'),
  },
  {
    name: 'lua run',
    summary: 'Run Lua scripts as the controller does: JSON lines in, JSON lines out',
    load: () => import('./lua-run'),
  },
];
