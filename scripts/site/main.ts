/**
 * `npm run site`: builds the documentation site into site/dist. Its front page is the playground, the other pages are those of
 * docs/. VitePress makes HTML of them; its packages are in site/, so that nobody installs them who only runs the tests.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readOptions } from '../read-options';
import { brokenLinks, filesIn } from './check';
import { PLAYGROUND, referenceSidebar, sidebarOf, TOP } from './navigation';
import { repositoryAddress, sitePages } from './pages';
import { reportsPage, writeReports } from './reports';
import { ruleListPage } from './rules';

const ROOT = resolve(__dirname, '..', '..');
const SITE = join(ROOT, 'site');
const PAGES = join(SITE, 'pages');

/** So many broken links are told; a mistake in the navigation breaks one in each page. */
const MOST = 20;

const HELP = `usage: npm run site -- [options]

Options
  --base <path>     the path at which a server delivers the site, as in /rollout-constructs/ (default /)
  --output <folder> where to write it (default site/dist)
`;

/** Runs a program of site/, and ends with its exit code if it fails: it has said why. */
function run(what: string, program: string, args: readonly string[]): void {
  process.stderr.write(`${what}\n`);
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, error } = spawnSync(program, args, { cwd: SITE, stdio: ['ignore', 2, 2], shell });
  if (status === 0) return;
  process.stderr.write(`${what} failed${error === undefined ? '' : `: ${error.message}`}\n`);
  process.exit(status || 1);
}

/** Installs the generator if it is missing or older than the lock file. */
function install(): void {
  const modified = (file: string) => (existsSync(file) ? statSync(file).mtimeMs : 0);
  if (modified(join(SITE, 'node_modules', '.package-lock.json')) >= modified(join(SITE, 'package-lock.json'))) return;
  run('installing VitePress', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Writes what VitePress reads: the pages with links of the site, pictures, reports of rehearsals, the navigation. */
function writePages(base: string): void {
  rmSync(PAGES, { recursive: true, force: true });
  const pages = sitePages();
  for (const { address, text } of pages) write(join(PAGES, address.replace(/\.html$/, '.md')), text);
  write(join(PAGES, 'rules', 'index.md'), ruleListPage());
  cpSync(join(ROOT, 'docs', 'images'), join(PAGES, 'images'), { recursive: true });
  const reports = writeReports(join(PAGES, 'public'));
  write(join(PAGES, 'rehearsals', 'index.md'), reportsPage(reports));
  const navigation = {
    base,
    nav: TOP,
    sidebar: sidebarOf(pages, [{ text: 'All of them', link: '/rehearsals/index.html' }]),
    reference: referenceSidebar(pages),
    repository: repositoryAddress(''),
  };
  write(join(PAGES, 'navigation.json'), JSON.stringify(navigation));
}

async function main(): Promise<number> {
  const { values } = readOptions(HELP, {
    options: { base: { type: 'string', default: '/' }, output: { type: 'string' } },
  });
  const { base, output = join(SITE, 'dist') } = values;
  if (!/^\/([\w.~-]+\/)*$/.test(base)) {
    process.stderr.write(`--base is "${base}": write a path that begins and ends with /, as in /rollout-constructs/\n`);
    return 2;
  }
  const folder = resolve(output);
  install();
  writePages(base);
  const program = join(SITE, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  run('building the pages', process.execPath, [program, 'build', '.', '--outDir', folder]);
  const { playgroundText } = await import('../playground.mjs');
  const links = TOP.filter((item) => item !== PLAYGROUND);
  writeFileSync(
    join(folder, 'index.html'),
    await playgroundText(links.map(({ text, link }) => ({ text, href: link!.slice(1) }))),
  );
  const broken = brokenLinks(folder, base);
  for (const problem of broken.slice(0, MOST)) process.stderr.write(`${problem}\n`);
  const files = filesIn(folder);
  const pages = files.filter((file) => file.endsWith('.html')).length;
  process.stdout.write(
    broken.length === 0
      ? `${pages} pages in ${folder}, every link leads somewhere\n`
      : `${broken.length} broken links\n`,
  );
  return broken.length === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});
