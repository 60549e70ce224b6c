import type { StructuralSchema } from '../core/schema';

const text = (description: string): StructuralSchema => ({ type: 'string', description });

const object: StructuralSchema = {
  type: 'object',
  description: 'An object of the cluster.',
  required: ['kind', 'name'],
  properties: {
    apiVersion: text('As in the manifest. Default: any API.'),
    kind: text('As in the manifest.'),
    name: text('Its name.'),
    namespace: text('Its namespace. Default: any namespace.'),
  },
};

/** What is known of one cluster: the same fields for all clusters together, and for each. */
const cluster: NonNullable<StructuralSchema['properties']> = {
  kruiseVersion: text(
    'The version of Kruise Rollouts: 0.6, or 0.6.1. Default: the install in the stack, or the newest known.',
  ),
  argoVersion: text('The version of Argo Rollouts. Default: the install in the stack, or 1.9.1.'),
  awsLoadBalancerControllerVersion: text(
    'The version of the AWS Load Balancer Controller. Default: the install in the stack, or the newest known.',
  ),
  ingressNginxVersion: text('The version of ingress-nginx. Default: the install in the stack, or the newest known.'),
  traefikVersion: text('The version of Traefik. Default: the install in the stack, or the newest known.'),
  istioVersion: text(
    'The version of Istio. Default: the install in the stack; without one, findings that depend on it are warnings.',
  ),
  kubernetesVersion: text('The version of Kubernetes. Default: 1.34.'),
  namespace: text('The namespace of objects that name none, as for kubectl apply --namespace. Default: default.'),
  controllerNamespace: text(
    'The namespace of the Kruise Rollouts controller. Default: the namespace of the install in the stack, or kruise-rollout.',
  ),
  partitionPercentLimit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description:
      'The flag --partition-percent-limit of the Kruise Rollouts controller. Default: the flag of the install in the stack, or 50.',
  },
  cluster: text(
    'A file with facts of the cluster, as "rollout-constructs cluster pull" writes it. What is stated here takes precedence.',
  ),
  scripts: {
    type: 'array',
    items: { type: 'string' },
    description:
      'The routing scripts in the cluster: library, a folder of scripts, or a file with the ConfigMap. Default: without the controller among the files, those of this library are assumed, with a warning.',
  },
  external: {
    type: 'array',
    items: object,
    description: 'Objects that exist in the cluster although they are not in these files.',
  },
};

/** The schema of the configuration file: editors complete with it, and `checkedConfig` validates with it. */
export const configSchema: StructuralSchema = {
  title: 'Configuration of rollout-constructs',
  description: 'The defaults of `rollout-constructs check`. Flags of the command line take precedence.',
  type: 'object',
  properties: {
    $schema: text('The URL or path of this schema, for editors.'),
    files: {
      type: 'array',
      items: { type: 'string' },
      description: 'The files and folders to check if the command names none, relative to the configuration file.',
    },
    clusters: {
      type: 'object',
      description:
        'Several clusters or environments, by name. Each is checked as a stack of its own; what it does not state is as for all.',
      additionalProperties: {
        type: 'object',
        properties: {
          files: {
            type: 'array',
            items: { type: 'string' },
            description: 'The files and folders of this cluster, relative to the configuration file. Default: files.',
          },
          ...cluster,
        },
      },
    },
    ...cluster,
    rehearsal: { type: 'boolean', description: 'Whether Rollouts are rehearsed. Default: true.' },
    probes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Requests to send in addition to those that are derived: GET https://shop.example.com/ -H "a: b".',
    },
    stories: {
      type: 'array',
      items: { type: 'string' },
      description: 'Stories to play in addition to the straight road: all, names (roll-back, delete@1), and files.',
    },
    rules: {
      type: 'object',
      additionalProperties: { type: 'string', enum: ['error', 'warning', 'note', 'off'] },
      description: 'The severity of rules by id; off turns a rule off.',
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
    maxWarnings: {
      type: 'integer',
      minimum: 0,
      description: 'The largest number of warnings that still passes: more exit with code 1.',
    },
    baseline: text('The file of known findings, which are left out, relative to the configuration file.'),
  },
};
