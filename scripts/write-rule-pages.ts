/** Writes docs/rules: a page for each rule and the list of all, and removes the pages of rules that are gone. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argoAdmissionRules } from '../src/argo/admission';
import { argoAlbRules } from '../src/argo/rules';
import { coreRules } from '../src/core';
import { schemaRules } from '../src/core/schema';
import { admissionRules } from '../src/kruise/admission';
import { kruiseAliyunAlbRules, kruiseAwsAlbRules } from '../src/kruise/alb';
import { gatewayPermissionRules } from '../src/kruise/gateway-permissions';
import { installRules } from '../src/kruise/install/check';
import { rolloutRules } from '../src/kruise/rules';
import { configMapRules } from '../src/kruise/scripts/config-map-rules';
import { scriptRules } from '../src/kruise/scripts/rules';
import { ktenvRules } from '../src/ktenv/rules';
import { rehearsalRules } from '../src/rehearsal/rules';
import { type RuleGroup, ruleIndex, rulePage } from '../src/report/rule-page';
import { awsAlbRules } from '../src/routers/aws-alb/checks';

const groups: readonly RuleGroup[] = [
  { title: 'Rehearsals', rules: Object.values(rehearsalRules), acceptedBy: 'annotation' },
  { title: 'Routing scripts', rules: Object.values(scriptRules), acceptedBy: 'comment' },
  { title: 'The ConfigMap of routing scripts', rules: Object.values(configMapRules), acceptedBy: 'annotation' },
  { title: 'Rollouts and TrafficRoutings', rules: Object.values(rolloutRules), acceptedBy: 'annotation' },
  { title: 'Canaries on load balancers of AWS', rules: Object.values(kruiseAwsAlbRules), acceptedBy: 'annotation' },
  {
    title: 'Canaries on load balancers of Alibaba Cloud',
    rules: Object.values(kruiseAliyunAlbRules),
    acceptedBy: 'annotation',
  },
  { title: 'Ingresses of load balancers of AWS', rules: Object.values(awsAlbRules), acceptedBy: 'annotation' },
  {
    title: 'What the webhook of Kruise Rollouts refuses',
    rules: Object.values(admissionRules),
    acceptedBy: 'annotation',
  },
  { title: 'What Argo Rollouts refuses', rules: Object.values(argoAdmissionRules), acceptedBy: 'annotation' },
  { title: 'Argo Rollouts on load balancers of AWS', rules: Object.values(argoAlbRules), acceptedBy: 'annotation' },
  { title: 'What the API server refuses or drops', rules: Object.values(schemaRules), acceptedBy: 'annotation' },
  { title: 'Installs of Kruise Rollouts', rules: Object.values(installRules), acceptedBy: 'annotation' },
  {
    title: 'Permissions for gateways',
    rules: Object.values(gatewayPermissionRules),
    acceptedBy: 'annotation',
  },
  { title: 'Virtual environments of KtEnv', rules: Object.values(ktenvRules), acceptedBy: 'annotation' },
  { title: 'Files, manifests and suppressions', rules: Object.values(coreRules), acceptedBy: 'annotation' },
];

/** All files of docs/rules by name. */
export function rulePages(): ReadonlyMap<string, string> {
  const pages = groups.flatMap(({ rules, acceptedBy }) =>
    [...rules].map((rule) => [`${rule.id}.md`, rulePage(rule, acceptedBy)] as const),
  );
  return new Map([['README.md', ruleIndex(groups)], ...pages]);
}

/** Where the pages are. */
export const folder = resolve(__dirname, '..', 'docs', 'rules');

if (require.main === module) {
  const pages = rulePages();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) writeFileSync(join(folder, name), text);
  console.log(`${pages.size} pages in docs/rules`);
}
