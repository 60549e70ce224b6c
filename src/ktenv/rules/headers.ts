/** What requests have to carry, and for whom they are taken. */

import type { Finding } from '../../core/finding';
import { asObject } from '../../core/json';
import { defineRules } from '../../core/rule';
import { compileRegex } from '../../routers/regex';
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
    title: 'the pattern of an alias takes the requests of one environment for another',
    because:
      'the operator puts each environment into the pattern as it is, and writes the routes in no order of its own; where ' +
      'the patterns of two environments match one header, either may answer, and not the same one every time',
    fix: 'end the pattern where the environment ends: a separator, or the end of the header, behind the placeholder',
    basis: 'run',
    sources: [source.virtualService],
    failing: aliased('.*env=(@).*'),
    corrected: aliased('(.*;)?env=(@)(;.*)?'),
  },
  'ktenv-header-propagation': {
    severity: 'note',
    title: 'several Services have environments, and only their apps can pass the header on',
    because:
      'a sidecar cannot tell which of the requests that an app sends belongs to which that it got; where an app does not ' +
      'copy the header, the next Service answers from the default environment. autoInject only adds the environment of ' +
      'the pod, which for a parent or the default is not that of the request. No manifest shows what an app does',
    fix: 'copy the header in every app, or in its tracing library; then accept this note with a reason',
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
  // Two Services before the same pods are one app.
  const apps = new Set(services.map(({ plan }) => plan.workloads.map(({ name }) => name).join(' ')));
  if (apps.size < 2) return [];
  const names = services.map(({ manifest }) => `"${manifest.name}"`);
  return [
    subject.manifest.finding(headerRules['ktenv-header-propagation'], {
      message: `${listed(names)} have environments; each app has to pass ${subject.plan.environment.header} on to the next`,
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
      message: `the header ${alias.name}: ${header} means "${meant}", and matches the pattern for "${taken}" too`,
      path: ['spec', 'envHeader', 'aliases', index, 'pattern'],
      ...relatedTo(service.manifest, `the two go to different pods of the Service "${clash.service}"`),
    });
  });
}

interface Clash {
  readonly service: string;
  readonly header: string;
  readonly meant: string;
  readonly taken: string;
}

/** A header that means one environment and gets the route of another, which leads elsewhere. */
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

/** A header that the pattern takes for an environment; undefined for a pattern of which none is easily found. */
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
