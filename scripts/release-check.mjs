// Refuses to publish a package that nobody could trace or report a bug of. npm runs it before `npm publish`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Hosts that are nobody's: RFC 2606 and RFC 6761. */
const NOBODYS = /(^|\.)(example(\.(com|net|org))?|invalid|test|localhost)$/;

/**
 * What is missing for a release, as sentences; empty if nothing is.
 * @param site where the documentation site is published
 */
export function releaseProblems({ version, homepage, repository, bugs }, changelog, site) {
  const addresses = { homepage, repository: repository?.url ?? repository, bugs: bugs?.url ?? bugs };
  return [
    ...Object.entries(addresses).flatMap(([field, address]) => addressProblems(field, address, 'HOME in .projenrc.ts')),
    ...addressProblems('SITE', site, 'SITE in src/core/site.ts'),
    ...versionProblems(version, changelog),
  ];
}

function addressProblems(field, address, place) {
  if (typeof address !== 'string' || address === '') return [`there is no ${field}: set ${place}`];
  const url = address.replace(/^git\+/, '');
  if (!URL.canParse(url)) return [`${field} is "${address}", which is no address: set ${place}`];
  const { hostname, protocol } = new URL(url);
  if (NOBODYS.test(hostname)) return [`${field} is the placeholder "${address}": set ${place}`];
  return protocol === 'https:' ? [] : [`${field} is "${address}": it has to begin with https`];
}

function versionProblems(version, changelog) {
  if (version === '0.0.0') return ['the version is 0.0.0: npm version <version> --no-git-tag-version sets it'];
  const sections = changelog.split(/^## /m).slice(1);
  const textOf = (name) => sections.find((each) => each.split(/\s/)[0] === name);
  const unreleased = textOf('Unreleased')?.split('\n').slice(1).join('').trim();
  return [
    ...(textOf(version) === undefined ? [`CHANGELOG.md has no section "## ${version}"`] : []),
    ...(unreleased ? [`CHANGELOG.md has changes below "## Unreleased": move them below "## ${version}"`] : []),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const site = /^export const SITE = '(.*)';$/m.exec(read('src/core/site.ts'))?.[1];
  const problems = releaseProblems(JSON.parse(read('package.json')), read('CHANGELOG.md'), site);
  for (const problem of problems) process.stderr.write(`not ready to publish: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
