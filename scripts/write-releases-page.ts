/** Writes docs/releases.md: what differs between the releases of each controller, and what shows it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { ARGO_HISTORY } from '../src/argo/facts';
import { isJsonObject, type Json } from '../src/core/json';
import type { Since } from '../src/core/release-history';
import { KRUISE_HISTORY } from '../src/kruise/facts';
import { AWS_LOAD_BALANCER_CONTROLLER_HISTORY } from '../src/routers/aws-alb/version';
import { INGRESS_NGINX_HISTORY } from '../src/routers/canary-ingress/nginx-version';
import { ISTIO_HISTORY } from '../src/routers/istio-version';
import { TRAEFIK_HISTORY } from '../src/routers/traefik/version';

const root = resolve(__dirname, '..');

/** A controller, the file and the interface of its facts, and their histories. */
export interface Controller {
  readonly title: string;
  /** The folder of its recordings. */
  readonly name: string;
  readonly file: string;
  readonly type: string;
  readonly histories: object;
}

export const CONTROLLERS: readonly Controller[] = [
  {
    title: 'Kruise Rollouts',
    name: 'kruise',
    file: 'src/kruise/facts.ts',
    type: 'KruiseRolloutFacts',
    histories: KRUISE_HISTORY,
  },
  {
    title: 'Argo Rollouts',
    name: 'argo',
    file: 'src/argo/facts.ts',
    type: 'ArgoRolloutsFacts',
    histories: ARGO_HISTORY,
  },
  {
    title: 'AWS Load Balancer Controller',
    name: 'aws-load-balancer-controller',
    file: 'src/routers/aws-alb/version.ts',
    type: 'AwsLoadBalancerControllerFacts',
    histories: AWS_LOAD_BALANCER_CONTROLLER_HISTORY,
  },
  {
    title: 'ingress-nginx',
    name: 'ingress-nginx',
    file: 'src/routers/canary-ingress/nginx-version.ts',
    type: 'IngressNginxFacts',
    histories: INGRESS_NGINX_HISTORY,
  },
  {
    title: 'Traefik',
    name: 'traefik',
    file: 'src/routers/traefik/version.ts',
    type: 'TraefikFacts',
    histories: TRAEFIK_HISTORY,
  },
  {
    title: 'Istio',
    name: 'istio',
    file: 'src/routers/istio-version.ts',
    type: 'IstioFacts',
    histories: ISTIO_HISTORY,
  },
];

/** The text of the page. */
export function releasesPage(): string {
  return `# What differs between releases

Each controller has one table of facts. Checks and rehearsals read what a release does there, and compare no version numbers. A release
has the value of the last line that begins with it or with an earlier release; the first line also counts for older releases.

A fact is shown by a recording of [the stage](../test/stage/README.md), by the controller's code, or by both. \`npm test\` rehearses each
recording that is named here with the fact changed: the recording must contradict that. A source is a file of the controller's repository at the
tag of the release, with the pull request or the commit where one is known.

${CONTROLLERS.map(sectionOf).join('\n')}`;
}

function sectionOf({ title, name, file, type, histories }: Controller): string {
  const docs = docsOf(file, type);
  const facts = Object.entries(histories as Readonly<Record<string, readonly Since<Json>[]>>);
  const own = facts.map(
    ([fact, history]) => `### \`${fact}\`

${docs.get(fact) ?? ''}

| from | value | recordings | source |
|---|---|---|---|
${history.map((entry, index) => rowOf(name, entry, history[index - 1])).join('\n')}
`,
  );
  return `## ${title}

${own.join('\n')}`;
}

function rowOf(
  controller: string,
  { from, is, recordings = [], source = '' }: Since<Json>,
  before?: Since<Json>,
): string {
  const links = recordings.map((each) => `[${each}](../test/stage/recordings/${controller}/${each}.json)`);
  return `| ${from} | ${valueText(is, before?.is)} | ${links.join(', ')} | ${source} |`;
}

/** A list that continues the one before is shown as what it adds. */
function valueText(value: Json, before: Json | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listText(value, Array.isArray(before) ? before : undefined);
  if (!isJsonObject(value)) return `\`${value}\``;
  return Object.entries(value)
    .map(([key, list]) => `${key}: ${(list as Json[]).join(' → ')}`)
    .join('<br>');
}

const MANY = 10;

function listText(list: readonly Json[], before: readonly Json[] | undefined): string {
  const code = (items: readonly Json[]) => items.map((item) => `\`${item}\``).join(', ');
  const added = list.filter((item) => !before?.includes(item));
  const isMore = before !== undefined && before.length > 0 && before.every((item) => list.includes(item));
  if (isMore) return `as before, and ${code(added)}`;
  if (list.length > MANY) return `${list.length} names`;
  return list.length === 0 ? 'none' : code(list);
}

/** The doc comments of the members of an interface. */
export function docsOf(file: string, type: string): ReadonlyMap<string, string> {
  const path = resolve(root, file);
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const found = source.statements.find(
    (each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === type,
  );
  return new Map(
    (found?.members ?? []).map((member) => {
      const [doc] = ts.getJSDocCommentsAndTags(member);
      return [member.name?.getText() ?? '', (ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/\s+/g, ' ')];
    }),
  );
}

if (require.main === module) writeFileSync(resolve(root, 'docs/releases.md'), releasesPage());
