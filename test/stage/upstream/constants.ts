/** Constants of Go packages, from the sources of the packages. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Finds string constants of the packages that a module of the stage can import. */
export class Constants {
  private readonly sources = new Map<string, string>();

  /**
   * @param cwd the folder of a go.mod
   * @param read gives the sources of a package
   */
  constructor(
    private readonly cwd: string,
    private readonly read = readPackage,
  ) {}

  /** The value of a constant; undefined if the package has none of this name. */
  valueOf(path: string, name: string): string | undefined {
    const declared = new RegExp(`\\b${name}(?: +[\\w.]+)? += +"([^"]*)"`).exec(this.sourceOf(path));
    return declared?.[1];
  }

  private sourceOf(path: string): string {
    const known = this.sources.get(path) ?? this.read(this.cwd, path);
    this.sources.set(path, known);
    return known;
  }
}

function readPackage(cwd: string, path: string): string {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' };
  const ended = spawnSync('go', ['list', '-find', '-f', '{{.Dir}}', path], { cwd, encoding: 'utf8', env });
  if (ended.status !== 0) throw new Error(`the package ${path}: ${ended.stderr}`);
  const folder = ended.stdout.trim();
  const files = readdirSync(folder).filter((name) => name.endsWith('.go'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
