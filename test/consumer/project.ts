/** Projects of users, made from the packed library and from what npm would install beside it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

const NPM_FLAGS = ['--offline', '--ignore-scripts', '--loglevel=error'];

/** What a process of a project said. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A file of the package, as npm lists it. */
export interface PackedFile {
  readonly path: string;
  readonly mode: number;
}

/** The packed library. */
export interface Packed {
  readonly files: readonly PackedFile[];
  /** The folder into which the package was unpacked. */
  readonly folder: string;
}

/** Compiles what is not compiled yet, as `npm test` does before all tests, and packs it. */
export function pack(): Packed {
  compile();
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-pack-'));
  const output = npm(['pack', '--json', '--pack-destination', folder, ...NPM_FLAGS]);
  const [{ filename, files }] = JSON.parse(output) as [{ filename: string; files: PackedFile[] }];
  execFileSync('tar', ['-xzf', filename], { cwd: folder });
  return { files, folder: join(folder, 'package') };
}

/** A project in a folder that no package of this repository can be found from. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-consumer-'));

  /**
   * @param packed the library, which is installed with its dependencies
   * @param peers packages that the project has beside it
   */
  constructor(packed: Packed, peers: readonly string[]) {
    const installed = join(this.folder, 'node_modules', 'rollout-constructs');
    cpSync(packed.folder, installed, { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8'));
    for (const name of [...Object.keys(dependencies), ...peers]) this.link(name);
    this.write('package.json', JSON.stringify({ name: 'consumer', version: '1.0.0', private: true }));
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a script of the project. */
  node(...args: readonly string[]): Ran {
    return ran(process.execPath, args, this.folder);
  }

  /** Compiles with the tsconfig.json of the project. */
  tsc(...args: readonly string[]): Ran {
    return this.node(require.resolve('typescript/bin/tsc'), '-p', '.', ...args);
  }

  private link(name: string): void {
    const at = join(this.folder, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), at, 'junction');
  }
}

/** An example of this repository, as a user of the package writes it. */
export function exampleFor(file: string): string {
  return readFileSync(join(ROOT, 'examples', file), 'utf8').replace(
    /'(?:\.\.\/)+src\/(\w+)'/g,
    (_, folder: string) => `'rollout-constructs${folder === 'constructs' ? '' : `/${folder}`}'`,
  );
}

function compile(): void {
  const built = join(ROOT, 'lib', '.built');
  const isFresh = existsSync(built) && statSync(built).mtimeMs >= newest(join(ROOT, 'src'));
  if (isFresh) return;
  const { status, stdout } = ran(
    process.execPath,
    [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json'],
    ROOT,
  );
  if (status !== 0) throw new Error(`src does not compile:\n${stdout}`);
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** The npm of this Node.js, which a shell would find too, but not under Windows. */
function npm(args: readonly string[]): string {
  const cli = process.env.npm_execpath ?? npmBeside(process.execPath);
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  return execFileSync(command, [...first, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

function npmBeside(node: string): string | undefined {
  try {
    return createRequire(join(dirname(node), '..', 'lib', 'x.js')).resolve('npm/bin/npm-cli.js');
  } catch {
    return undefined;
  }
}

function ran(command: string, args: readonly string[], cwd: string): Ran {
  const { NODE_PATH: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 64 * 2 ** 20 });
  return { status, stdout, stderr };
}
