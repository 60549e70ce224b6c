// biome-ignore-all lint/suspicious/noExplicitAny: what Pulumi keeps to itself has no types
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KruiseRolloutStep, KruiseRolloutStrategy } from '../../src/constructs';
import { run } from './program';

const strategy = KruiseRolloutStrategy.canary({
  steps: [KruiseRolloutStep.traffic('20%', { pause: {} }), KruiseRolloutStep.traffic('100%')],
});
const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const ROLLOUT = 'kubernetes:rollouts.kruise.io/v1beta1:Rollout';
const INGRESS = 'kubernetes:networking.k8s.io/v1:Ingress';

function messageOf(make: () => unknown): string {
  try {
    make();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('Outputs among the arguments', () => {
  test('appear in values, within JSON, and in keys of annotations', async () => {
    const { of, log } = await run(({ library, pulumi }) => {
      new library.AlbCanaryIngress('web', {
        service: { name: pulumi.output('web'), port: 80 },
        rules: [
          { host: pulumi.interpolate`shop.${pulumi.output('example.com')}`, paths: [{ path: pulumi.output('/') }] },
        ],
        certificates: [pulumi.output('arn:1'), 'arn:2'],
        auth: undefined,
      });
    });
    const { metadata, spec } = of(INGRESS).inputs;
    expect(metadata.annotations['alb.ingress.kubernetes.io/certificate-arn']).toBe('arn:1,arn:2');
    expect(JSON.parse(metadata.annotations['alb.ingress.kubernetes.io/actions.web'])).toEqual({
      type: 'forward',
      forwardConfig: { targetGroups: [{ serviceName: 'web', servicePort: 80 }] },
    });
    expect(spec.rules).toEqual([
      {
        host: 'shop.example.com',
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'use-annotation' } } } },
          ],
        },
      },
    ]);
    expect(log.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('are escaped within JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), async (text) => {
        const pulumi = await import('@pulumi/pulumi');
        const { OutputPlaceholders } = await import('../../src/pulumi/output-placeholders');
        const leaves = new OutputPlaceholders({ text: pulumi.output(text) });
        const { text: hidden } = leaves.options as { text: string };
        const made = leaves.withOutputs({ json: JSON.stringify({ a: [`<${hidden}>`] }), plain: `<${hidden}>` });
        const value = (await (pulumi.output(made) as any).promise()) as { json: string; plain: string };
        expect(JSON.parse(value.json)).toEqual({ a: [`<${text}>`] });
        expect(value.plain).toBe(`<${text}>`);
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  test('reach the certificate of a webhook in base64', async () => {
    const { of, log } = await run(({ library, pulumi }) => {
      new library.KtEnvInstall('ktenv', {
        certificate: { from: 'secret', secretName: pulumi.output('tls'), caBundle: pulumi.output('no certificate') },
      });
    });
    const [webhook] = of('kubernetes:admissionregistration.k8s.io/v1:MutatingWebhookConfiguration').inputs.webhooks;
    expect(Buffer.from(webhook.clientConfig.caBundle, 'base64').toString()).toBe('no certificate');
    // What it holds can be checked only now, and ends nothing.
    const errors = log.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    expect(errors).toEqual([
      expect.stringContaining('KtEnvInstall "ktenv": certificate.caBundle contains no certificate'),
      expect.stringContaining('error[ktenv-webhook-untrusted]'),
    ]);
  });

  test('that are unknown and in base64 cause no finding', async () => {
    const { findings } = await run(
      ({ library, unknown }) => {
        const certificate = { from: 'secret', secretName: 'tls', caBundle: unknown() } as const;
        new library.KtEnvInstall('ktenv', { certificate });
      },
      { preview: true },
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('that are equal refer to one object', async () => {
    const { findings } = await run(
      ({ library, unknown }) => {
        const name = unknown();
        const metadata = { name };
        new library.KruiseTrafficRouting('front', { metadata, trafficRouting: { service: 'front', ingress: 'front' } });
        new library.KruiseRollout('web', { workload, strategy, trafficRoutingRef: name });
      },
      { preview: true },
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('checks of Outputs', () => {
  const images = (pulumi: any) => ({ image: { tag: pulumi.output('no tag'), digest: pulumi.output('sha256:1') } });

  test('happen when the value is known: each problem is an error in the log, and nothing is thrown', async () => {
    const { log, findings, resources } = await run(({ library, pulumi }) => {
      new library.KruiseRolloutInstall('kruise', images(pulumi));
    });
    expect(findings.map(({ rule }) => rule)).toEqual(['pulumi-value-refused', 'pulumi-value-refused']);
    const errors = log.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    expect(errors.sort()).toEqual([
      expect.stringContaining('KruiseRolloutInstall "kruise": image.digest is "sha256:1"'),
      expect.stringContaining('KruiseRolloutInstall "kruise": image.tag is "no tag"'),
    ]);
    expect(resources.length).toBeGreaterThan(10);
  });

  test('are not hidden by others that are unknown, which are named', async () => {
    const { log } = await run(
      ({ library, pulumi, unknown }) => {
        new library.KruiseRolloutInstall('kruise', {
          image: { tag: pulumi.output('no tag'), digest: unknown() },
          podLabels: { team: unknown() },
        });
      },
      { preview: true },
    );
    const errors = log.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    expect(errors).toEqual([expect.stringContaining('image.tag is "no tag"')]);
    const unchecked = log.filter(({ message }) => message.includes('not checked yet'));
    expect(unchecked.map(({ message }) => message)).toEqual([
      'KruiseRolloutInstall "kruise": not checked yet, as it is known only during the update: image.digest, podLabels.team',
    ]);
    expect(unchecked[0]!.severity).toBe('info');
    expect(unchecked[0]!.urn).toMatch(/::kruise$/);
  });

  test('happen during the update for values that the preview does not know', async () => {
    const program = (preview: boolean) =>
      run(
        ({ library, pulumi, unknown }) => {
          const service = preview ? unknown() : pulumi.output('not a name!');
          new library.KruiseRollout('web', {
            workload,
            strategy,
            trafficRouting: { service, ingress: 'web', classType: 'no-such-class' },
          });
        },
        { preview },
      );
    const before = await program(true);
    expect(before.log.some(({ message }) => message.includes('not checked yet'))).toBe(true);
    // What is plain is checked all the same.
    expect(before.findings.map(({ message }) => message).join('\n')).toContain('no-such-class');
    expect(JSON.stringify(before.findings)).not.toContain('known-later');
    expect(before.log.map(({ message }) => message).join('\n')).not.toContain('known-later');

    const after = await program(false);
    expect(after.log.some(({ message }) => message.includes('not checked yet'))).toBe(false);
    expect(after.of(ROLLOUT).inputs.spec.strategy.canary.trafficRoutings[0].service).toBe('not a name!');
    expect(after.findings.map(({ message }) => message).join('\n')).toContain('no-such-class');
  });

  test('skip secrets, so that none gets into the log', async () => {
    const { log, of } = await run(({ library, pulumi }) => {
      new library.KruiseRollout('web', {
        metadata: { annotations: { token: pulumi.secret('hunter2') } },
        workload: { ...workload, name: pulumi.secret('hunter2 is no name') },
        strategy,
      });
    });
    // Pulumi keeps everything around a secret secret, and the objects have it all the same.
    expect(JSON.stringify(of(ROLLOUT).inputs.spec)).toContain('hunter2 is no name');
    // What Pulumi itself says for debugging is its own affair.
    const ours = log.filter(({ severity }) => severity !== 'debug');
    const said = ours.map(({ message }) => message).join('\n');
    expect(said).not.toContain('hunter2');
    expect(said).toContain(
      'KruiseRollout "web": not checked, as it is a secret: metadata.annotations.token, workload.name',
    );
  });

  test('report a value that decides how objects are built', async () => {
    const { log, findings } = await run(({ library, pulumi }) => {
      new library.AlbCanaryIngress('web', { service: { name: 'web', port: 80 }, ingressClass: pulumi.output('alb') });
    });
    expect(findings.map(({ rule }) => rule)).toContain('pulumi-value-decides-structure');
    const error = log.find(({ message }) => message.startsWith('error[pulumi-value-decides-structure]'))!;
    expect(error.severity).toBe('error');
    expect(error.message).toContain('with the values of ingressClass.name, the Ingress would be built otherwise');

    const plain = await run(({ library }) => {
      new library.AlbCanaryIngress('web', { service: { name: 'web', port: 80 }, ingressClass: 'alb' });
    });
    expect(plain.findings.map(({ rule }) => rule)).not.toContain('pulumi-value-decides-structure');
  });

  test('report a value that is needed before it is known', async () => {
    const { result } = await run(({ library, pulumi }) =>
      messageOf(
        () =>
          new library.AlbCanaryIngress('web', {
            service: { name: 'web', port: 80 },
            mode: library.AlbCanaryMode.ingress({ group: 'shop', order: 10 }),
            ingressClass: library.AlbIngressClass.fromName('public', { group: pulumi.output('shop') }),
          }),
      ),
    );
    expect(result).toContain('group is "shop", but the ingress class "public"');
    expect(result).toContain('so give a plain string');
  });
});

test.each([true, false])(
  'nothing is thrown when resources come back without anything (preview: %s)',
  async (preview) => {
    const { log } = await run(
      async ({ library }) => {
        const { Service } = await import('@pulumi/kubernetes/core/v1/service');
        const { OpenIdConnectProvider } = await import('@pulumi/aws/iam/openIdConnectProvider');
        const service = new Service('web');
        const provider = new OpenIdConnectProvider('oidc', { url: 'https://oidc', clientIdLists: [] });
        const install = new library.KruiseRolloutInstall('kruise');
        const ingress = new library.AlbCanaryIngress('web', { service: { name: service, port: 80 } });
        new library.KruiseRollout('web', { install, workload, strategy, trafficRouting: ingress.trafficRouting() });
        new library.ArgoRolloutsInstall('argo', {
          aws: { region: 'eu-west-1' },
          verification: { oidcProviderArn: provider.arn },
        });
      },
      { bare: true, preview },
    );
    expect(log.map(({ message }) => message).join('\n')).not.toContain('could not check');
  },
);

describe('Outputs that were written into a text', () => {
  test('are found in arguments, in steps and in scripts, all together', async () => {
    const { result, resources } = await run(({ library, pulumi }) => {
      const output = pulumi.output('x');
      return [
        messageOf(
          () =>
            new library.AlbCanaryIngress('web', {
              service: { name: 'web', port: 80 },
              rules: [{ host: `shop.${output}` }],
              metadata: { labels: { [`${output}`]: 'key' }, annotations: { note: JSON.stringify({ output }) } },
            }),
        ),
        messageOf(
          () =>
            new library.KruiseRollout('web', {
              workload,
              strategy: KruiseRolloutStrategy.canary({
                steps: [{ traffic: '20%', replicas: 1, matches: [library.HeaderMatch.exact('a', `${output}`)] }],
              }),
            }),
        ),
        messageOf(
          () =>
            new library.LuaRoutingConfigMap('scripts', {
              scripts: [library.LuaScripts.inline('ingress.mine', `return "${output}"`)],
            }),
        ),
      ];
    });
    const count = (text: string | undefined) => text!.match(/error\[pulumi-output-in-text\]/g)?.length;
    expect(result.map(count)).toEqual([3, 1, 1]);
    expect(result[0]).toContain(': rules[0].host');
    expect(result[0]).toContain('metadata.annotations.note');
    expect(resources).toEqual([]);
  });

  test('are found in values that are known later', async () => {
    const { findings, log } = await run(({ library, pulumi }) => {
      const text = pulumi.output('x').apply(() => `${pulumi.output('y')}`);
      new library.KruiseRollout('web', { metadata: { annotations: { note: text } }, workload, strategy });
    });
    expect(findings.map(({ rule }) => rule)).toContain('pulumi-output-in-text');
    expect(log.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(0);

    const right = await run(({ library, pulumi }) => {
      const text = pulumi.interpolate`${pulumi.output('y')}`;
      new library.KruiseRollout('web', { metadata: { annotations: { note: text } }, workload, strategy });
    });
    expect(right.findings.map(({ rule }) => rule)).not.toContain('pulumi-output-in-text');
  });
});
