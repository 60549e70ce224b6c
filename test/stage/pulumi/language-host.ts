/**
 * A stand-in for the language host of Pulumi, which is not to be had as a module of Go. It starts the program of a stack with the
 * runtime of @pulumi/pulumi, as the language host does, and understands the exit code with which the runtime says that it has
 * told the user everything.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from './serve';

const PROTOCOL = join(require.resolve('@pulumi/pulumi/package.json'), '..', 'proto');
const language = require(join(PROTOCOL, 'language_pb.js')) as typeof import('@pulumi/pulumi/proto/language_pb');
const { LanguageRuntimeService } = require(
  join(PROTOCOL, 'language_grpc_pb.js'),
) as typeof import('@pulumi/pulumi/proto/language_grpc_pb');
const { PluginInfo } = require(join(PROTOCOL, 'plugin_pb.js')) as typeof import('@pulumi/pulumi/proto/plugin_pb');

type RunRequest = import('@pulumi/pulumi/proto/language_pb').RunRequest;

/** The exit code of the runtime after an error that it has shown. */
const SHOWN = 32;

const [engine] = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));

void serve(LanguageRuntimeService as never, {
  getPluginInfo: () => {
    const info = new PluginInfo();
    info.setVersion('3.248.0');
    return info;
  },
  // The providers are on the PATH.
  getRequiredPlugins: () => new language.GetRequiredPluginsResponse(),
  getRequiredPackages: () => new language.GetRequiredPackagesResponse(),
  run: async (request: RunRequest) => {
    const response = new language.RunResponse();
    const code = await run(request);
    if (code === SHOWN) response.setBail(true);
    else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
    return response;
  },
});

function run(request: RunRequest): Promise<number | null> {
  const info = request.getInfo()!;
  const folder = info.getProgramDirectory();
  const runtime = createRequire(join(folder, 'package.json')).resolve('@pulumi/pulumi/cmd/run');
  const options = Object.entries({
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    'root-directory': info.getRootDirectory(),
    stack: request.getStack(),
    pwd: folder,
    parallel: String(request.getParallel()),
  }).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  const dryRun = request.getDryrun() ? ['--dry-run'] : [];
  const args = [runtime, ...options, ...dryRun, info.getEntryPoint(), ...request.getArgsList()];
  const env = {
    ...process.env,
    PULUMI_NODEJS_TYPESCRIPT: 'true',
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('exit', resolve);
  });
}
