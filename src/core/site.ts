/** The documentation site: where a page of docs/ has its address. `npm run site` builds it. */

/**
 * Where the site is published. Everything that links to it asks here. As long as it is the example,
 * scripts/release-check.mjs refuses to publish.
 */
export const SITE = 'https://docs.example.com/rollout-constructs/';

/** Pages of the root of the repository that the site has under a name of its own. */
const OF_ROOT: Readonly<Record<string, string>> = {
  'README.md': 'guide.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
};

/**
 * The address of a page within the site, from its path in the repository; undefined if the site has no such page. These
 * addresses are stable: links in reports lead to them.
 * @example siteAddressOf('docs/rules/yaml-invalid.md') // 'rules/yaml-invalid.html'
 */
export function siteAddressOf(page: string): string | undefined {
  const [path = '', anchor] = page.split('#');
  const own = path.startsWith('docs/') ? path.slice('docs/'.length) : OF_ROOT[path];
  if (!own?.endsWith('.md')) return undefined;
  const file = own.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
  return anchor === undefined ? file : `${file}#${anchor}`;
}
