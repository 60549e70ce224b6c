/** Programs in the runtime of Pulumi, in a process of its own as the engine starts it. Only its exit code fails a preview. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../stage/pulumi/serve';

const ROOT = join(__dirname, '..', '..');
const PULUMI = join(ROOT, 'node_modules', '@pulumi', 'pulumi');
// biome-ignore lint/suspicious/noExplicitAny: generated code, whose types are of another module system.
const messages = (name: string): any => require(join(PULUMI, 'proto', `${name}.js`));
const { Empty } = require('google-protobuf/google/protobuf/empty_pb') as {
  readonly Empty: new () => unknown;
};

/** The exit code that says: the runtime has shown what is wrong. */
const SHOWN = 32;

const COMPONENT = (workload: string) => `
  const { KruiseRollout, KruiseRolloutStrategy } = require('rollout-constructs/pulumi');
  const strategy = KruiseRolloutStrategy.canary({ steps: [{ replicas: '20%' }, { replicas: '100%' }] });
  for (const name of ['web', ${JSON.stringify(workload)}])
    new KruiseRollout(name, { workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, strategy, metadata: { name } });
`;

describe('the runtime of Pulumi', () => {
  let folder: string;
  let stop: () => void;
  let port: number;
  let log: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pulumi-runtime-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules', '@pulumi'), join(folder, 'node_modules', '@pulumi'), 'junction');
    symlinkSync(ROOT, join(folder, 'node_modules', 'rollout-constructs'), 'junction');
    writeFileSync(join(folder, 'Pulumi.yaml'), 'name: shop\nruntime: nodejs\n');
    writeFileSync(join(folder, 'package.json'), '{}');
    const resources = messages('resource_pb');
    const supported = new resources.SupportsFeatureResponse();
    const nothing = () => new Empty();
    const monitor = {
      supportsFeature: () => supported,
      // biome-ignore lint/suspicious/noExplicitAny: a generated message
      registerResource: (request: any) => {
        const response = new resources.RegisterResourceResponse();
        response.setUrn(`urn:pulumi:dev::shop::${request.getType()}::${request.getName()}`);
        response.setObject(request.getObject());
        return response;
      },
      registerResourceOutputs: nothing,
      signalAndWaitForShutdown: nothing,
    };
    const engine = {
      // biome-ignore lint/suspicious/noExplicitAny: a generated message
      log: (request: any) => {
        log.push(request.getMessage());
        return new Empty();
      },
      getRootResource: () => new (messages('engine_pb').GetRootResourceResponse)(),
      setRootResource: () => new (messages('engine_pb').SetRootResourceResponse)(),
    };
    const listening = await listen([
      [messages('resource_grpc_pb').ResourceMonitorService, monitor],
      [messages('engine_grpc_pb').EngineService, engine],
    ]);
    port = listening.port;
    stop = () => listening.server.forceShutdown();
  });

  afterAll(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The exit code of a program, and what it logs. */
  async function preview(program: string) {
    log = [];
    writeFileSync(join(folder, 'index.js'), program);
    const address = `127.0.0.1:${port}`;
    const place = ['--monitor', address, '--engine', address, '--project', 'shop', '--stack', 'dev', '--pwd', folder];
    const args = [join(PULUMI, 'cmd', 'run', 'index.js'), ...place, '--dry-run', '--parallel', '4', '.'];
    const env = {
      ...process.env,
      PULUMI_CONFIG: '{}',
      PULUMI_CONFIG_SECRET_KEYS: '[]',
      PULUMI_NODEJS_TYPESCRIPT: 'false',
    };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    return { code, errors, text: log.join('\n') };
  }

  it('fails for an error in the stack, which names its line, without a stack trace', async () => {
    const { code, text, errors } = await preview(COMPONENT('web-again'));
    expect(errors).toBe('');
    expect(text).toContain('error[rollout-workload-taken]');
    expect(text).toMatch(/--> \S*index\.js:5:\d+/);
    expect(text).toContain('rollout-constructs found errors in this stack, each on its resource');
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(SHOWN);
  });

  it('does not fail for notes', async () => {
    const { code, text } = await preview(COMPONENT('api').replace("name: 'web' }, strategy", 'name }, strategy'));
    expect(text).not.toContain('error');
    expect(text).toContain('note[');
    expect(code).toBe(0);
  });
});
