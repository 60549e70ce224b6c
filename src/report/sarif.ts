import { fileUrl, isAbsolutePath } from '../core/file-name';
import type { Acceptance, Finding, SourceLocation } from '../core/finding';
import { type Rule, siteOfRule } from '../core/rule';
import { sha256Hex } from '../core/sha256';
import { escapeJson } from './escape';
import { type ReportContext, remarksOf, subjectOf } from './reporter';

/** For code scanning: SARIF 2.1.0. It includes suppressed findings, marked and with their reason. */
export function sarif(findings: readonly Finding[], context: ReportContext): string {
  const suppressed = context.suppressed ?? [];
  const rules = describedRules([...findings, ...suppressed.map(({ finding }) => finding)], context);
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  const result = (finding: Finding) => ({ ...resultOf(finding), ruleIndex: indexOf.get(finding.rule) });
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'rollout-constructs', version: context.version, rules } },
        columnKind: 'utf16CodeUnits',
        ...(context.checkedFor === undefined ? {} : { properties: { checkedFor: context.checkedFor } }),
        results: [
          ...findings.map(result),
          ...suppressed.map(({ finding, ...acceptance }) => ({
            ...result(finding),
            suppressions: [suppressionOf(acceptance)],
          })),
        ],
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log, null, 2))}\n`;
}

function suppressionOf({ reason, by, source }: Acceptance) {
  const kind = by === 'configuration' || by === 'option' || by === 'baseline' ? 'external' : 'inSource';
  const location = source === undefined ? {} : { location: { physicalLocation: physical(source) } };
  return { kind, status: 'accepted', justification: reason, ...location };
}

function describedRules(findings: readonly Finding[], { catalogue }: ReportContext) {
  const described = [...(catalogue ?? [])].map(descriptor);
  const known = new Set(described.map(({ id }) => id));
  const others = [...new Set(findings.map(({ rule }) => rule))].filter((rule) => !known.has(rule)).sort();
  return [...described, ...others.map((id) => ({ id }))];
}

function descriptor(rule: Rule) {
  const { id, severity, title, because, fix, sources } = rule;
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: because },
    helpUri: siteOfRule(rule),
    help: { text: [`${because}.`, `Fix: ${fix}.`, ...sources].join('\n') },
    defaultConfiguration: { level: severity },
  };
}

function resultOf(finding: Finding) {
  const { rule, severity, message, because, fix, source, related } = finding;
  const logical = subjectOf(finding);
  const location = {
    ...(source === undefined ? {} : { physicalLocation: physical(source) }),
    ...(logical === '' ? {} : { logicalLocations: [{ fullyQualifiedName: logical }] }),
  };
  return {
    ruleId: rule,
    level: severity,
    message: { text: [message, because, `Fix: ${fix}`, ...remarksOf(finding)].join('\n') },
    ...(source === undefined && logical === '' ? {} : { locations: [location] }),
    ...(related?.source === undefined
      ? {}
      : {
          relatedLocations: [{ id: 1, message: { text: related.message }, physicalLocation: physical(related.source) }],
        }),
    // A finding keeps its identity when lines above it change.
    partialFingerprints: { 'rolloutConstructs/v1': hashOf([rule, source?.file, logical, message]) },
  };
}

function physical({ file, line, column }: SourceLocation) {
  return { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } };
}

function uriOf(file: string): string {
  if (isAbsolutePath(file)) return fileUrl(file);
  return file
    .replace(/^\.\//, '')
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd')))
    .join('/');
}

function hashOf(parts: readonly (string | undefined)[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, 32);
}
