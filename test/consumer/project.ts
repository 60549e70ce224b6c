/** Projects of users, made from the packed library and from what npm would install beside it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Packed } from '../package';

export const ROOT = join(__dirname, '..', '..');

/** What a process of a project said. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
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

function ran(command: string, args: readonly string[], cwd: string): Ran {
  const { NODE_PATH: _, NODE_OPTIONS: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 64 * 2 ** 20 });
  return { status, stdout, stderr };
}
