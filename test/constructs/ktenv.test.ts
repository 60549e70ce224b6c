import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  KtEnvInstall,
  type KtEnvInstallProps,
  KtEnvWebhookCertificate,
  KtVirtualEnvironment,
  type KtVirtualEnvironmentProps,
  StackCheck,
} from '../../src/constructs';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Any = any;

let stderr: string;
beforeEach(() => {
  stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

function envLabels(objects: readonly Any[]): string {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'webhook-server');
  return deployment.spec.template.spec.containers[0].env.find(({ name }: Any) => name === 'envLabel').value;
}

function addApp(scope: Chart, environments: readonly string[]): void {
  new ApiObject(scope, 'web', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
  } as never);
  for (const environment of environments) {
    const labels = { app: 'web', 'virtual-env': environment };
    new ApiObject(scope, `web-${environment}`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: `web-${environment.replaceAll('.', '-')}`, namespace: 'shop' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
      },
    } as never);
  }
}

function failureOf(environments: readonly string[], props: Partial<KtVirtualEnvironmentProps> = {}): string {
  const chart = new Chart(new App(), 'test');
  addApp(chart, environments);
  new KtVirtualEnvironment(chart, 'Env', { namespace: 'shop', envLabel: { defaultSubset: 'dev' }, ...props });
  try {
    Testing.synth(chart);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('KtEnvInstall', () => {
  const synth = (props?: KtEnvInstallProps) => {
    const chart = Testing.chart();
    new KtEnvInstall(chart, 'KtEnv', props);
    return Testing.synth(chart);
  };

  it('writes the install, and no Secret', () => {
    expect(synth().map(({ kind }: Any) => kind)).toEqual([
      'Namespace',
      'CustomResourceDefinition',
      'Issuer',
      'Certificate',
      'Service',
      'Deployment',
      'MutatingWebhookConfiguration',
    ]);
    expect(envLabels(synth())).toBe('virtual-env');
  });

  it('keeps the labels of the webhook in step with the environments of the app, whichever comes first', () => {
    const app = new App();
    const chart = new Chart(app, 'cluster');
    new KtVirtualEnvironment(new Chart(app, 'a'), 'Env', { namespace: 'a', envLabel: { name: 'stage' } });
    new KtEnvInstall(chart, 'KtEnv', { envLabels: ['other'] });
    new KtVirtualEnvironment(new Chart(app, 'b'), 'Env', { namespace: 'b' });
    expect(envLabels(Testing.synth(chart))).toBe('other,stage,virtual-env');
  });

  it('refuses invalid props, with the path of the construct', () => {
    const certificate = KtEnvWebhookCertificate.fromSecret('own', 'nothing');
    expect(() => synth({ certificate })).toThrow(
      /KtEnv: the install cannot be written:\n- certificate\.caBundle contains no/,
    );
  });
});

describe('KtVirtualEnvironment', () => {
  it('writes the VirtualEnvironment and the operator of its namespace', () => {
    const chart = Testing.chart();
    const envHeader = { name: 'X-Env' };
    const environment = new KtVirtualEnvironment(chart, 'Env', { namespace: 'shop', name: 'shop', envHeader });
    const objects: Any[] = Testing.synth(chart);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual(
      ['VirtualEnvironment', 'ServiceAccount', 'Role', 'RoleBinding', 'Deployment'].map((kind) => `${kind} shop`),
    );
    expect(objects[0].spec).toEqual({ envHeader });
    expect(environment.node.defaultChild).toBeInstanceOf(ApiObject);
  });

  it('asks for a namespace', () => {
    const chart = new Chart(new App(), 'test');
    expect(() => new KtVirtualEnvironment(chart, 'Env')).toThrow(
      'test/Env: no namespace; give one here or to the chart',
    );
  });

  it('lets good environments through', () => {
    expect(failureOf(['dev', 'dev.proj1'])).toBe('');
    expect(stderr).toBe('');
  });

  it('fails the synth for environments that would be routed elsewhere', () => {
    expect(failureOf(['dev.a', 'dev.b'])).toContain('ktenv-default-subset-missing');
    expect(failureOf(['dev', 'dev.A'])).toContain('ktenv-subset-invalid');
    const envHeader = { autoInject: true };
    expect(failureOf(['dev', 'dev.a'], { envHeader, istioVersion: '1.24' })).toContain('ktenv-auto-inject-istio');
    expect(failureOf(['dev', 'dev.a'], { envLabel: { splitter: '..' } })).toContain('spec.envLabel.splitter');
  });

  it('prints warnings', () => {
    expect(failureOf(['dev', 'dev.a'], { envHeader: { autoInject: true } })).toBe('');
    expect(stderr).toContain('the release of Istio is not known');
  });
});

describe('the namespace of a KtVirtualEnvironment', () => {
  const labelsOf = (props: Partial<KtVirtualEnvironmentProps>): Any => {
    const chart = Testing.chart();
    new KtVirtualEnvironment(chart, 'Env', { namespace: 'shop', createNamespace: true, ...props });
    const objects: Any[] = Testing.synth(chart);
    expect(objects[0]).toMatchObject({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    expect(objects[0].metadata.namespace).toBeUndefined();
    return objects[0].metadata.labels;
  };

  it('is written first, with the labels for sidecars, and for tags on request', () => {
    expect(labelsOf({})).toEqual({ 'istio-injection': 'enabled' });
    expect(labelsOf({ istioRevision: '1-18' })).toEqual({ 'istio.io/rev': '1-18' });
    const tagged = { 'istio-injection': 'enabled', 'environment-tag-injection': 'enabled' };
    expect(labelsOf({ tagInjection: true })).toEqual(tagged);
    expect(labelsOf({ envHeader: { autoInject: true }, istioVersion: '1.18' })).toEqual(tagged);
    const contradicting = { envHeader: { autoInject: true }, istioVersion: '1.18', tagInjection: false };
    expect(() => labelsOf(contradicting)).toThrow('lacks environment-tag-injection: enabled');
  });

  it('gets its labels if another construct creates it, and no other object does', () => {
    const chart = Testing.chart();
    const environments = new KtVirtualEnvironment(chart, 'Env', { namespace: 'shop', tagInjection: true });
    const namespace = (name: string) =>
      new ApiObject(chart, name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { team: 'shop' } } });
    environments.labelNamespace(namespace('shop'));
    expect((Testing.synth(chart) as Any[]).at(-1).metadata.labels).toEqual({
      team: 'shop',
      ...environments.namespaceLabels,
    });
    expect(() => environments.labelNamespace(namespace('bank'))).toThrow(
      'test/Env: Namespace "bank" is not the Namespace "shop" of the environments',
    );
  });

  it('is checked', () => {
    const chart = new Chart(new App(), 'test');
    addApp(chart, ['dev', 'dev.a']);
    new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const environments = new KtVirtualEnvironment(chart, 'Env', {
      namespace: 'shop',
      envHeader: { autoInject: true },
      istioVersion: '1.18',
    });
    expect(environments.findings().map(({ rule, message }) => [rule, message])).toEqual([
      ['ktenv-namespace-labels', 'the Namespace "shop" lacks environment-tag-injection: enabled'],
      ['ktenv-namespace-labels', 'the Namespace "shop" lacks istio-injection: enabled'],
    ]);
    expect(() => Testing.synth(chart)).toThrow('ktenv-namespace-labels');
  });
});

describe('the checks of the constructs', () => {
  /** Two namespaces. In each the default environment of a Service is missing. */
  function twoNamespaces(props: Partial<KtVirtualEnvironmentProps> = {}) {
    const app = new App();
    const chart = new Chart(app, 'test');
    const environments = ['shop', 'bank'].map((namespace) => {
      const metadata = { name: 'web', namespace };
      new ApiObject(chart, `${namespace}-service`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
      } as never);
      for (const environment of ['a', 'b']) {
        const labels = { app: 'web', 'virtual-env': environment };
        new ApiObject(chart, `${namespace}-${environment}`, {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { ...metadata, name: `web-${environment}` },
          spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } },
        } as never);
      }
      const envLabel = { defaultSubset: 'dev' };
      return new KtVirtualEnvironment(chart, `env-${namespace}`, { namespace, envLabel, ...props });
    });
    return { app, chart, environments };
  }

  it('report each finding once, by the environment of its namespace', () => {
    const { chart, environments } = twoNamespaces();
    const found = environments.map((one) => one.findings().map(({ rule, object }) => [rule, object?.namespace]));
    expect(found).toEqual([[['ktenv-default-subset-missing', 'shop']], [['ktenv-default-subset-missing', 'bank']]]);
    expect(() => Testing.synth(chart)).toThrow(/ktenv-default-subset-missing[\s\S]*ktenv-default-subset-missing/);
  });

  it('share one check with all other constructs, so that nothing is reported twice', () => {
    const { app, chart } = twoNamespaces();
    new StackCheck(app, 'Check');
    const failure = () => {
      try {
        Testing.synth(chart);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(failure().match(/error\[ktenv-default-subset-missing\]/g)).toHaveLength(2);
  });

  it('accept suppressions, for the construct or for a named object', () => {
    const rule = 'ktenv-default-subset-missing';
    const accept = (namespace: string) => ({
      rule,
      reason: 'nobody calls it without a header',
      object: { kind: 'Service', name: 'web', namespace },
    });
    const { environments } = twoNamespaces({ suppressions: [accept('shop'), accept('bank')] });
    expect(environments.flatMap((one) => one.findings())).toEqual([]);
    const envHeader = { autoInject: true };
    const suppressions = [{ rule: 'ktenv-auto-inject-istio', reason: 'the mesh stays at 1.18' }];
    expect(failureOf(['dev', 'dev.a'], { envHeader, suppressions })).toBe('');
    expect(stderr).toBe('');
  });

  it('say so of a suppression that fits nothing', () => {
    const suppressions = [{ rule: 'ktenv-pods-shared', reason: 'none' }];
    expect(failureOf(['dev', 'dev.a'], { suppressions })).toBe('');
    expect(stderr).toContain('suppression-unused');
  });

  it('fail for warnings on request', () => {
    const envHeader = { autoInject: true };
    expect(failureOf(['dev', 'dev.a'], { envHeader, warnings: 'fail' })).toContain('ktenv-auto-inject-istio');
  });

  it('look at the environments that requests will name, and hand them on in the manifest', () => {
    expect(failureOf(['dev', 'dev.a'], { environments: ['dev.a.anna'] })).toContain('ktenv-environment-unknown');
    const chart = Testing.chart();
    for (const environment of ['dev.a', 'dev.b']) addApp(new Chart(chart, environment), [environment]);
    new KtVirtualEnvironment(chart, 'Env', { namespace: 'shop', environments: ['dev.a', 'dev.b'] });
    expect((Testing.synth(chart) as Any[])[0].metadata.annotations).toEqual({
      'rollout-constructs.io/environments': 'dev.a,dev.b',
    });
  });

  it('check the install too, and know which CRDs it does not write', () => {
    const install = (props?: KtEnvInstallProps) => new KtEnvInstall(Testing.chart(), 'KtEnv', props);
    expect(install().findings()).toEqual([]);
    expect(install({ crd: false }).findings()).toEqual([]);
    const chart = new Chart(new App(), 'test');
    const ktenv = new KtEnvInstall(chart, 'KtEnv');
    chart.node.findAll().forEach((each) => {
      if (ApiObject.isApiObject(each) && each.kind === 'Certificate') {
        each.addJsonPatch(JsonPatch.replace('/spec/dnsNames', ['webhook-server.elsewhere.svc']));
      }
    });
    expect(ktenv.findings().map(({ rule, construct }) => [rule, construct])).toEqual([
      ['ktenv-webhook-host', 'test/KtEnv/Certificate'],
    ]);
    expect(() => Testing.synth(chart)).toThrow('ktenv-webhook-host');
  });

  it('find an environment with a label that the webhook of the app sees after another', () => {
    const app = new App();
    const chart = new Chart(app, 'shop');
    addApp(chart, ['dev', 'dev.a']);
    for (const each of chart.node.children) {
      if (ApiObject.isApiObject(each) && each.kind === 'Deployment') {
        each.addJsonPatch(JsonPatch.add('/spec/template/metadata/labels/stage', 'blue'));
      }
    }
    const environments = new KtVirtualEnvironment(chart, 'Env', {
      namespace: 'shop',
      tagInjection: true,
      createNamespace: true,
    });
    const cluster = new Chart(app, 'cluster');
    new KtEnvInstall(cluster, 'KtEnv', { envLabels: ['stage'] });
    expect(environments.findings().map(({ rule }) => rule)).toEqual([
      'ktenv-webhook-label-first',
      'ktenv-webhook-label-first',
    ]);
  });
});

it('takes properties without a prototype, as some parsers make them', () => {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const envHeader = Object.assign(Object.create(null), { name: 'X-Virtual-Env' });
  new KtVirtualEnvironment(chart, 'It', {
    envHeader,
    warnings: 'print',
    external: [{ kind: 'Namespace', name: 'shop' }],
  });
  const [object] = chart.toJson().filter(({ kind }: { kind: string }) => kind === 'VirtualEnvironment');
  expect(object.spec.envHeader).toEqual({ name: 'X-Virtual-Env' });
});
