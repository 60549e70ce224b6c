/** Checks VirtualEnvironments. */
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { checkObject, schemaFindings } from '../../core/schema';
import { API_GROUP, API_VERSION } from '../api/names';
import { virtualEnvironmentSchema } from '../api/schema';
import { environmentOf, VIRTUAL_ENVIRONMENT } from '../controller';
import { requestedEnvironments } from '../requested';
import { absentWorkloads, type KtEnvCheck, type KtEnvChecker, listed, relatedTo, type Subject } from './context';
import { DEV, deployment, VIRTUAL_ENVIRONMENT as EXAMPLE, edit, PROJECT, SERVICE, STACK, yaml } from './examples';
import { source } from './sources';

const aliased = (alias: string) =>
  edit(EXAMPLE, ['name: X-Virtual-Env }', `name: X-Virtual-Env, aliases: [{ ${alias} }] }`]);
const REST = [SERVICE, DEV, PROJECT] as const;

/** A VirtualEnvironment that declares another environment of requests. */
const REQUESTED = edit(EXAMPLE, [
  'metadata: { name: shop, namespace: shop }',
  'metadata:\n  name: shop\n  namespace: shop\n  annotations: { rollout-constructs.io/environments: dev.proj1.f1 }',
]);

/** Rules on the VirtualEnvironment. */
export const virtualEnvironmentRules = defineRules({
  'ktenv-api-version': {
    severity: 'error',
    title: 'a VirtualEnvironment has an API version that is not served',
    because: 'the CRD serves only v1alpha2, so the API server rejects the object',
    fix: `write apiVersion: ${API_VERSION}, with envHeader and envLabel`,
    basis: 'read',
    sources: [source.crd],
    failing: yaml(edit(EXAMPLE, ['v1alpha2', 'v1alpha1']), ...REST),
    corrected: yaml(...STACK),
  },
  'ktenv-virtual-environment-second': {
    severity: 'error',
    title: 'a namespace has a second VirtualEnvironment',
    because: 'the operator keeps one VirtualEnvironment per namespace, and deletes the one that it saw first',
    fix: 'keep one VirtualEnvironment in each namespace',
    basis: 'read',
    sources: [source.trigger],
    failing: yaml(...STACK, edit(EXAMPLE, ['name: shop,', 'name: shop-too,'])),
    corrected: yaml(...STACK),
  },
  'ktenv-alias-placeholder-missing': {
    severity: 'error',
    title: 'the pattern of an alias has no placeholder, so it is ignored',
    because:
      'upstream documents "(@)" as the default placeholder, but the operator sets it on a copy that it discards; without a ' +
      'placeholder the header must equal the environment',
    fix: 'write the placeholder: placeholder: (@)',
    basis: 'run',
    sources: [source.trigger, source.virtualService],
    failing: yaml(aliased('name: baggage, pattern: ".*env=(@);.*"'), ...REST),
    corrected: yaml(aliased('name: baggage, pattern: ".*env=(@);.*", placeholder: (@)'), ...REST),
  },
  'ktenv-alias-placeholder-unused': {
    severity: 'error',
    title: 'the pattern of an alias does not contain its placeholder',
    because:
      'the operator replaces the placeholder in the pattern by the environment; without it, the patterns of all ' +
      'environments are equal, and the first route takes all requests',
    fix: 'add the placeholder to the pattern, at the position of the environment in the header',
    basis: 'run',
    sources: [source.virtualService],
    failing: yaml(aliased('name: baggage, pattern: ".*env=%E%;.*", placeholder: (@)'), ...REST),
    corrected: yaml(aliased('name: baggage, pattern: ".*env=(@);.*", placeholder: (@)'), ...REST),
  },
  'ktenv-splitter-unused': {
    severity: 'warning',
    title: 'no environment contains the splitter, so none falls back to a parent',
    because: 'the operator cuts an environment at the splitter to get its parents',
    fix: 'set envLabel.splitter to the character between the levels in the labels of the pods',
    basis: 'run',
    sources: [source.virtualService],
    failing: yaml(edit(EXAMPLE, ['splitter: "."', 'splitter: "/"']), ...REST),
    corrected: yaml(...STACK),
  },
  'ktenv-environment-unknown': {
    severity: 'error',
    title: 'requests name an environment that no workload has, and go to the default instead of its parent',
    because:
      'the operator writes routes only for the environments of Deployments and StatefulSets of the namespace; a header ' +
      'with any other value matches no route, even if a parent has one',
    fix: 'label the pods of at least one workload of the namespace with the environment, or send its parent in the header',
    basis: 'run',
    sources: [source.labels, source.virtualService],
    failing: yaml(REQUESTED, ...REST),
    corrected: yaml(REQUESTED, ...REST, deployment('dev.proj1.f1', 'cart')),
  },
});

/** Checks VirtualEnvironments. */
export const checkVirtualEnvironments: KtEnvChecker = (check) => [
  ...schema(check),
  ...seconds(check),
  ...check.subjects.flatMap((subject) => [...aliases(subject), ...splitter(subject), ...unknown(subject, check)]),
];

function schema({ world }: KtEnvCheck): Finding[] {
  const objects = world.manifests.filter(({ group, kind }) => group === API_GROUP && kind === 'VirtualEnvironment');
  return objects.flatMap((manifest) =>
    manifest.apiVersion === API_VERSION
      ? schemaFindings(manifest, checkObject(manifest.object, virtualEnvironmentSchema()))
      : [
          manifest.finding(virtualEnvironmentRules['ktenv-api-version'], {
            message: `${manifest.apiVersion} is not served; KtEnv serves ${API_VERSION}`,
            path: ['apiVersion'],
          }),
        ],
  );
}

function seconds({ world, subjects }: KtEnvCheck): Finding[] {
  return subjects.flatMap(({ manifest: first, namespace }) =>
    world
      .list(VIRTUAL_ENVIRONMENT, namespace)
      .slice(1)
      .map((manifest) =>
        manifest.finding(virtualEnvironmentRules['ktenv-virtual-environment-second'], {
          message: `the namespace "${namespace}" already has the VirtualEnvironment "${first.name}"`,
          ...relatedTo(first, `"${first.name}" is here`),
        }),
      ),
  );
}

function aliases({ manifest }: Subject): Finding[] {
  return environmentOf(manifest.object.spec ?? {}).aliases.flatMap(({ name, pattern, placeholder }, index) => {
    const path = ['spec', 'envHeader', 'aliases', index];
    if (pattern === '') return [];
    if (placeholder === '') {
      return manifest.finding(virtualEnvironmentRules['ktenv-alias-placeholder-missing'], {
        message: `the alias "${name}" has the pattern "${pattern}" and no placeholder`,
        path,
      });
    }
    if (pattern.includes(placeholder)) return [];
    return manifest.finding(virtualEnvironmentRules['ktenv-alias-placeholder-unused'], {
      message: `the pattern "${pattern}" of the alias "${name}" does not contain the placeholder "${placeholder}"`,
      path: [...path, 'pattern'],
    });
  });
}

function splitter({ manifest, plan, workloads }: Subject): Finding[] {
  const { splitter: character } = plan.environment;
  const environments = [...new Set(workloads.map(({ environment }) => environment))];
  if (environments.some((one) => one.includes(character))) return [];
  // Names such as "dev-web" are common without levels. If a parent is an environment too, levels are intended.
  const meant = [...'.-_'].find((other) =>
    environments.some((one) => one.includes(other) && environments.includes(one.slice(0, one.lastIndexOf(other)))),
  );
  if (meant === undefined) return [];
  return [
    manifest.finding(virtualEnvironmentRules['ktenv-splitter-unused'], {
      message: `none of the environments ${listed(environments)} contains the splitter "${character}"`,
      path: ['spec', 'envLabel', 'splitter'],
      fix: `set envLabel.splitter to "${meant}"`,
    }),
  ];
}

function unknown({ manifest, namespace, plan, workloads }: Subject, { environments }: KtEnvCheck): Finding[] {
  const { header, defaultSubset } = plan.environment;
  const known = new Set(workloads.map(({ environment }) => environment));
  return requestedEnvironments(manifest, environments)
    .filter((one) => !known.has(one) && one !== defaultSubset)
    .map((one) =>
      manifest.finding(virtualEnvironmentRules['ktenv-environment-unknown'], {
        message: `no workload has "${one}", so requests with ${header}: ${one} go to ${
          defaultSubset === '' ? 'any pod' : `the default "${defaultSubset}"`
        }`,
        absent: absentWorkloads(namespace),
      }),
    );
}
