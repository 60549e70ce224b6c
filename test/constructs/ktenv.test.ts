import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  KtEnvInstall,
  type KtEnvInstallProps,
  KtEnvWebhookCertificate,
  KtVirtualEnvironment,
  type KtVirtualEnvironmentProps,
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
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [] } } },
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

  it('refuses what cannot work, naming the construct', () => {
    const certificate = KtEnvWebhookCertificate.fromSecret('own', 'nothing');
    expect(() => synth({ certificate })).toThrow(
      /KtEnv: the install cannot be written:\n- certificate\.caBundle holds no/,
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

  it('prints what is only a warning', () => {
    expect(failureOf(['dev', 'dev.a'], { envHeader: { autoInject: true } })).toBe('');
    expect(stderr).toContain('the release of Istio is not known');
  });
});
