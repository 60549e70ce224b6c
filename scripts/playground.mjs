// Writes the playground: one HTML file with the page, the library and the examples in it. It needs the compiled library.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { playgroundPage } = require('../lib/playground/page.js');
const { version } = require('../package.json');

/** In the order of the list of the page. */
const EXAMPLES = [
  ['kruise-aws-alb', 'Kruise Rollouts on an AWS ALB', 'https://shop.example.com/ -H "user-agent: pc"'],
  ['argo-aws-alb', 'Argo Rollouts on an AWS ALB'],
  ['kruise-aliyun-alb', 'Kruise Rollouts on an Alibaba Cloud ALB', 'http://echoserver.example.com/apis/echo'],
  ['kruise-custom-gateway', 'Kruise Rollouts on a gateway of your own', 'http://shop.example.com/cart'],
  ['ktenv', 'Virtual environments of KtEnv'],
];

async function bundled(entry) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`src/playground/browser/${entry}.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: ['es2022'],
    legalComments: 'none',
    logLevel: 'warning',
    tsconfigRaw: {},
  });
  return outputFiles[0].text;
}

/** The page as text; on the documentation site it has links to the other pages. */
export async function playgroundText(links = []) {
  const [view, heart] = await Promise.all([bundled('main'), bundled('worker')]);
  const examples = EXAMPLES.map(([name, title, request]) => ({
    name,
    title,
    request,
    text: readFileSync(join(root, 'src', 'playground', 'examples', `${name}.yaml`), 'utf8'),
  }));
  return playgroundPage({ view, heart, examples, version, links }).text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'lib', 'playground.html'), await playgroundText());
}
