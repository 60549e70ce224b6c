/** Checks the headers of requests: aliases, and whether apps pass the header on. */

import type { Finding } from '../../core/finding';
import { asObject } from '../../core/json';
import { compileRegex } from '../../core/regex';
import { defineRules } from '../../core/rule';
import type { Alias, ServicePlan } from '../controller';
import { type KtEnvChecker, listed, relatedTo, routed, type Subject } from './context';
import { DEV, deployment, edit, PROJECT, SERVICE, STACK, VIRTUAL_ENVIRONMENT, yaml } from './examples';
import { source } from './sources';

const aliased = (pattern: string) =>
  yaml(
    edit(VIRTUAL_ENVIRONMENT, [
      'name: X-Virtual-Env }',
      `name: X-Virtual-Env, aliases: [{ name: baggage, pattern: "${pattern}", placeholder: (@) }] }`,
    ]),
    SERVICE,
    DEV,
    PROJECT,
    deployment('dev.proj1.f1'),
  );

const CART = [edit(SERVICE, ['name: web,', 'name: cart,'], ['app: web', 'app: cart']), deployment('dev', 'cart')];
const CHAIN = [...STACK, ...CART, deployment('dev.proj1', 'cart')] as const;

/** Rules on the headers of requests. */
export const headerRules = defineRules({
  'ktenv-alias-ambiguous': {
    severity: 'warning',
    title: 'the pattern of an alias matches the requests of two environments',
    because:
      'the operator inserts each environment into the pattern unchanged, and writes the routes in random order; if the ' +
      'patterns of two environments match the same header, either environment may answer',
    fix: 'end the pattern where the environment ends: put a separator, or the end of the header, after the placeholder',
    basis: 'run',
    sources: [source.virtualService],
    failing: aliased('.*env=(@).*'),
    corrected: aliased('(.*;)?env=(@)(;.*)?'),
  },
  'ktenv-header-propagation': {
    severity: 'note',
    title: 'several Services have environments, and only their apps can pass the header on',
    because:
      'a sidecar does not know which incoming request caused an outgoing one; if an app does not copy the header, the next ' +
      'Service answers from the default environment. autoInject adds only the environment of the pod, which differs from ' +
      'that of the request if the pod is of a parent or of the default. Manifests do not show what an app does',
    fix: 'copy the header in every app, or in its tracing library; then suppress this note with a reason',
    basis: 'documented',
    sources: [source.readme],
    failing: yaml(...CHAIN),
    corrected: yaml(
      edit(VIRTUAL_ENVIRONMENT, [
        'metadata: { name: shop, namespace: shop }',
        'metadata:\n  name: shop\n  namespace: shop\n  annotations:\n' +
          '    rollout-constructs.io/ignore: "ktenv-header-propagation: web and cart copy the header"',
      ]),
      ...CHAIN.slice(1),
    ),
  },
});

/** Checks headers. */
export const checkHeaders: KtEnvChecker = (check) =>
  check.subjects.flatMap((subject) => [...propagation(subject), ...ambiguous(subject)]);

function propagation(subject: Subject): Finding[] {
  const services = routed(subject).filter(
    ({ plan, manifest }) =>
      plan.outcome === 'written' && Object.keys(asObject(manifest.get('spec.selector'))).length > 0,
  );
  // Two Services with the same pods are one app.
  const apps = new Set(services.map(({ plan }) => plan.workloads.map(({ name }) => name).join(' ')));
  if (apps.size < 2) return [];
  const names = services.map(({ manifest }) => `"${manifest.name}"`);
  return [
    subject.manifest.finding(headerRules['ktenv-header-propagation'], {
      message: `${listed(names)} have environments; each app must pass ${subject.plan.environment.header} on to the next`,
      path: ['spec', 'envHeader'],
    }),
  ];
}

function ambiguous(subject: Subject): Finding[] {
  const { manifest, plan, workloads } = subject;
  const environments = [...new Set(workloads.map(({ environment }) => environment))].sort();
  return plan.environment.aliases.flatMap((alias, index) => {
    const clash = routed(subject).flatMap((service) => clashIn(service.plan, alias, environments) ?? [])[0];
    if (clash === undefined) return [];
    const { header, meant, taken } = clash;
    const service = routed(subject).find(({ plan: one }) => one.service === clash.service)!;
    return manifest.finding(headerRules['ktenv-alias-ambiguous'], {
      message: `the header ${alias.name}: ${header} means "${meant}", and also matches the pattern for "${taken}"`,
      path: ['spec', 'envHeader', 'aliases', index, 'pattern'],
      ...relatedTo(service.manifest, `the two environments have different pods in the Service "${clash.service}"`),
    });
  });
}

interface Clash {
  readonly service: string;
  readonly header: string;
  readonly meant: string;
  readonly taken: string;
}

/** A header for one environment that gets the route of another one with a different subset. */
function clashIn(plan: ServicePlan, alias: Alias, environments: readonly string[]): Clash | undefined {
  const subsetOf = (environment: string) => plan.routes.find((route) => route.environment === environment)?.subset;
  for (const meant of environments) {
    const header = exampleOf(alias, meant);
    if (header === undefined) continue;
    const taken = environments.find(
      (other) => subsetOf(other) !== undefined && subsetOf(other) !== subsetOf(meant) && matches(alias, other, header),
    );
    if (taken !== undefined) return { service: plan.service, header, meant, taken };
  }
  return undefined;
}

function matches({ pattern, placeholder }: Alias, environment: string, header: string): boolean {
  return (
    compileRegex(
      pattern.replaceAll(placeholder, () => environment),
      { whole: true },
    )?.(header) ?? false
  );
}

/** A header that the pattern matches for an environment; undefined if no simple one is found. */
function exampleOf(alias: Alias, environment: string): string | undefined {
  const { pattern, placeholder } = alias;
  if (pattern === '' || placeholder === '' || !pattern.includes(placeholder)) return undefined;
  const around = pattern.split(placeholder).map((part) =>
    part
      .replace(/\([^()]*\)[?*]|\.\*|\[[^\]]*\][*?]|[\^$]/g, '')
      .replace(/\.\+/g, 'x')
      .replace(/\\([^A-Za-z0-9])/g, '$1'),
  );
  const header = around.join(environment);
  return matches(alias, environment, header) ? header : undefined;
}
