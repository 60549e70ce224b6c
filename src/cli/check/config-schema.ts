import type { StructuralSchema } from '../../core/schema';

const text = (description: string): StructuralSchema => ({ type: 'string', description });

const object: StructuralSchema = {
  type: 'object',
  description: 'An object of the cluster.',
  required: ['kind', 'name'],
  properties: {
    apiVersion: text('As in the manifest. Without it: of any API.'),
    kind: text('As in the manifest.'),
    name: text('Its name.'),
    namespace: text('Its namespace. Without it: in any.'),
  },
};

/** The configuration file, for editors and for the check of it: the one place that says what can be in it. */
export const configSchema: StructuralSchema = {
  title: 'Configuration of rollout-constructs',
  description: 'What `rollout-constructs check` does by default. Options of the command line go before it.',
  type: 'object',
  properties: {
    $schema: text('Where this schema is, for editors.'),
    files: {
      type: 'array',
      items: { type: 'string' },
      description: 'The files and folders that are checked when none are named, from where the configuration file is.',
    },
    versions: {
      type: 'object',
      description: 'The releases that the manifests are for.',
      properties: {
        kruise: text('Kruise Rollouts: 0.6, or 0.6.1. Default: the newest known.'),
        argo: text('Argo Rollouts. Default: the newest known.'),
        awsLoadBalancerController: text('The AWS Load Balancer Controller. Default: the newest known.'),
        istio: text('Istio. Without it, what depends on it is a warning.'),
        kubernetes: text('Kubernetes. Default: 1.34.'),
      },
    },
    controllerNamespace: text(
      'The namespace of Kruise Rollouts’ controller. Default: that of the install, or kruise-rollout.',
    ),
    external: {
      type: 'array',
      items: object,
      description: 'Objects that exist in the cluster although they are not in these files.',
    },
    rehearsal: { type: 'boolean', description: 'Whether Rollouts are rehearsed. Default: true.' },
    probes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Requests that are sent beside those that are derived: GET https://shop.example.com/ -H "a: b".',
    },
    rules: {
      type: 'object',
      additionalProperties: { type: 'string', enum: ['error', 'warning', 'note', 'off'] },
      description: 'Rules that weigh more or less than they do by default, by their ids.',
    },
    suppressions: {
      type: 'array',
      description: 'Findings that are accepted as they are.',
      items: {
        type: 'object',
        required: ['rule', 'reason'],
        properties: {
          rule: text('The id of the rule.'),
          reason: text('Why the finding does not matter here.'),
          object: { ...object, description: 'Only findings about this object.' },
        },
      },
    },
    maxWarnings: { type: 'integer', minimum: 0, description: 'More warnings than these end with exit code 1.' },
    baseline: text('The file of findings that are known already, from where the configuration file is.'),
  },
};
