import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import { type ArgoCluster, beside, existsElsewhere, nameOf } from './cluster';
import { atoi } from './go-values';
import { resolve, unknownTag } from './placeholders';
import type { Problem } from './problem';
import { isMetadataPath } from './steps';

/** An analysis of a Rollout: in a step, in the background, before or after promotion. */
interface Analysis {
  readonly analysis: JsonObject;
  readonly isBackground: boolean;
  /** The path of its `templates`. */
  readonly path: Path;
}

/** An analysis with its templates, namespaced ones first. */
export interface FoundAnalysis extends Analysis {
  readonly templates: readonly JsonObject[];
}

const STRATEGY: Path = ['spec', 'strategy'];
const PLACEHOLDER = 'dummy-value';

/** The templates of all analyses of a Rollout, and those that are missing. */
export function findAnalyses(
  rollout: JsonObject,
  cluster: ArgoCluster,
): { readonly found: readonly FoundAnalysis[]; readonly missing: readonly Problem[] } {
  const looked = analysesOf(rollout).map((one) => {
    const { own, shared, missing, unread } = lookUp(
      rollout,
      asList(one.analysis.templates),
      cluster,
      one.path,
      new Set(),
    );
    return { ...one, templates: [...unique(own), ...unique(shared)], missing, unread };
  });
  return {
    // The controller merges the templates, so that an analysis with a missing template cannot be checked.
    found: looked.filter(({ missing, unread }) => missing.length === 0 && !unread),
    missing: looked.flatMap(({ missing }) => missing),
  };
}

function analysesOf(rollout: JsonObject): Analysis[] {
  const { blueGreen, canary } = asObject(asObject(rollout.spec).strategy);
  const part = (holder: unknown, name: string, path: Path, isBackground = false): Analysis[] => {
    const analysis = asObject(holder)[name];
    return isSet(analysis) ? [{ analysis: asObject(analysis), isBackground, path: [...path, name, 'templates'] }] : [];
  };
  if (isSet(blueGreen)) {
    const path = [...STRATEGY, 'blueGreen'];
    return [...part(blueGreen, 'prePromotionAnalysis', path), ...part(blueGreen, 'postPromotionAnalysis', path)];
  }
  const path = [...STRATEGY, 'canary'];
  return [
    ...asList(asObject(canary).steps).flatMap((step, index) => part(step, 'analysis', [...path, 'steps', index])),
    ...part(canary, 'analysis', path, true),
  ];
}

interface Found {
  readonly own: readonly JsonObject[];
  readonly shared: readonly JsonObject[];
  readonly missing: readonly Problem[];
  /** Whether one of them exists but cannot be read. */
  readonly unread: boolean;
}

/** Looks up templates recursively: templates may refer to other templates. */
function lookUp(
  rollout: JsonObject,
  refs: readonly Json[],
  cluster: ArgoCluster,
  path: Path,
  seen: ReadonlySet<JsonObject>,
  field = fieldText(path),
): Found {
  const found = refs.map((ref): Found => {
    const { clusterScope, templateName } = asObject(ref);
    const name = asText(templateName);
    const isShared = clusterScope === true;
    const template = isShared
      ? cluster.clusterAnalysisTemplates?.find((one) => nameOf(one) === name)
      : beside(rollout, cluster.analysisTemplates, name);
    const nothing = { own: [], shared: [], missing: [], unread: false };
    if (template === undefined) {
      const kind = isShared ? 'ClusterAnalysisTemplate' : 'AnalysisTemplate';
      const isKnown = existsElsewhere(rollout, cluster, kind, name, 'argoproj.io/v1alpha1');
      return isKnown
        ? { ...nothing, unread: true }
        : { ...nothing, missing: [missingTemplate(isShared, name, path, field)] };
    }
    if (seen.has(template)) return nothing;
    const nested = asList(asObject(template.spec).templates);
    const below = lookUp(rollout, nested, cluster, path, new Set([...seen, template]), 'spec.templates');
    return isShared ? { ...below, shared: [template, ...below.shared] } : { ...below, own: [template, ...below.own] };
  });
  return {
    own: found.flatMap(({ own }) => own),
    shared: found.flatMap(({ shared }) => shared),
    missing: found.flatMap(({ missing }) => missing),
    unread: found.some(({ unread }) => unread),
  };
}

function unique(templates: readonly JsonObject[]): JsonObject[] {
  return [...new Set(templates)];
}

function missingTemplate(isShared: boolean, name: string, path: Path, field: string): Problem {
  const kind = isShared ? 'ClusterAnalysisTemplate' : 'AnalysisTemplate';
  return {
    rule: 'argo-analysis-template-not-found',
    class: 'R-A1',
    field,
    message: `${kind} '${name}' not found`,
    path,
    text: `there is no ${kind} "${name}"`,
    absent: { apiVersion: 'argoproj.io/v1alpha1', kind, name },
  };
}

/** What the controller refuses in the templates of all analyses of a Rollout. */
export function checkAnalyses(rollout: JsonObject, analyses: readonly FoundAnalysis[]): Problem[] {
  return analyses.flatMap((one) =>
    mistakesIn(rollout, one).map((message) => ({
      rule: 'argo-analysis-invalid',
      class: 'R-A1',
      message,
      path: one.path,
      text: message,
    })),
  );
}

function mistakesIn(rollout: JsonObject, analysis: FoundAnalysis): string[] {
  const mistake = mergeMistake(rollout, analysis);
  if (mistake !== undefined) return [mistake];
  return analysis.templates.flatMap((template) =>
    analysis.isBackground ? backgroundMistakes(rollout, template) : metricMistakes(template),
  );
}

/** Why the controller cannot merge the templates of an analysis. */
function mergeMistake(rollout: JsonObject, { analysis, templates }: FoundAnalysis): string | undefined {
  const specs = templates.map(({ spec }) => asObject(spec));
  const all = (field: string) => specs.flatMap((spec) => asList(spec[field]).map(asObject));
  const { canary } = asObject(asObject(rollout.spec).strategy);
  const steps = asList(asObject(canary).steps)
    .map((step) => asObject(step).analysis)
    .filter(isSet)
    .map(asObject);
  // The controller merges the templates with the rules of every step with an analysis, not only of this step.
  const rules = (field: string) => [[], ...steps.map((step) => asList(step[field]).map(asObject))];
  return (
    twice(all('metrics'), 'name', (name) => `two metrics have the same name '${name}'`) ??
    ruleTwice([all('dryRun')], 'Dry-Run') ??
    ruleTwice([all('measurementRetention')], 'Measurement Retention') ??
    argumentMistake(asList(analysis.args).map(asObject), all('args')) ??
    ruleTwice(
      rules('dryRun').map((one) => [...one, ...all('dryRun')]),
      'Dry-Run',
    ) ??
    ruleTwice(
      rules('measurementRetention').map((one) => [...one, ...all('measurementRetention')]),
      'Measurement Retention',
    )
  );
}

function ruleTwice(lists: readonly (readonly JsonObject[])[], title: string): string | undefined {
  for (const list of lists) {
    const mistake = twice(list, 'metricName', (name) => `two ${title} metric rules have the same name '${name}'`);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function twice(list: readonly JsonObject[], field: string, message: (name: string) => string): string | undefined {
  const names = list.map((one) => asText(one[field]));
  const again = names.find((name, index) => names.indexOf(name) < index);
  return again === undefined ? undefined : message(again);
}

function argumentMistake(given: readonly JsonObject[], declared: readonly JsonObject[]): string | undefined {
  const merged = new Map<string, JsonObject>();
  for (const one of declared) {
    const name = asText(one.name);
    const known = merged.get(name);
    if (isSet(known?.value) && isSet(one.value) && known.value !== one.value) {
      const values = `'${asText(known.value)}', '${asText(one.value)}'`;
      return `Argument \`${name}\` specified multiple times with different values: ${values}`;
    }
    if (!isSet(known?.value)) merged.set(name, one);
  }
  const supplied = suppliedNames(given);
  const open = [...merged.values()].find(
    ({ name, value, valueFrom }) => !isSet(value) && !isSet(valueFrom) && !supplied.has(asText(name)),
  );
  return open === undefined ? undefined : `args.${asText(open.name)} was not resolved`;
}

/** The arguments of a Rollout: all of them, or none if one refers to metadata that does not exist. */
function suppliedNames(given: readonly JsonObject[]): ReadonlySet<string> {
  const isBroken = given.some(({ valueFrom }) => {
    const { fieldRef, podTemplateHashValue } = asObject(valueFrom);
    const path = asText(asObject(fieldRef).fieldPath);
    return !isSet(podTemplateHashValue) && path.startsWith('metadata') && !isMetadataPath(path);
  });
  return new Set(isBroken ? [] : given.map(({ name }) => asText(name)));
}

function backgroundMistakes(rollout: JsonObject, template: JsonObject): string[] {
  const { canary } = asObject(asObject(rollout.spec).strategy);
  const given = asList(asObject(asObject(canary).analysis).args).map((one) => asText(asObject(one).name));
  return asList(asObject(template.spec).args)
    .map(asObject)
    .filter(({ value, valueFrom }) => !isSet(value) && !isSet(valueFrom))
    .flatMap(({ name }) => {
      if (given.length === 0) return ['missing analysis arguments in rollout spec'];
      return given.includes(asText(name)) ? [] : [asText(name)];
    });
}

/** In an analysis that must end, every metric must end. */
function metricMistakes(template: JsonObject): string[] {
  const { args, metrics } = asObject(template.spec);
  const name = nameOf(template);
  const values = new Map<string, string>();
  for (const argument of asList(args).map(asObject)) {
    if (isSet(argument.value) && isSet(argument.valueFrom)) {
      return [`AnalysisTemplate ${name}: arg '${asText(argument.name)}' has both Value and ValueFrom fields`];
    }
    values.set(asText(argument.name), isSet(argument.value) ? asText(argument.value) : PLACEHOLDER);
  }
  const found: string[] = [];
  for (const metric of asList(metrics)) {
    const unknown = unknownTag(metric, values);
    if (unknown !== undefined) return [`AnalysisTemplate ${name}: failed to resolve {{${unknown}}}`];
    const { count, interval } = asObject(metric);
    const resolved = typeof count === 'string' ? resolve(count, values) : count;
    const times = typeof resolved === 'string' ? atoi(resolved) : typeof resolved === 'number' ? resolved : 0;
    if (times !== 0 || asText(interval) === '') continue;
    const shown = resolved === undefined ? '<nil>' : String(resolved);
    const metricName = resolve(asText(asObject(metric).name), values);
    found.push(
      `AnalysisTemplate ${name} has metric ${metricName} which runs indefinitely. Invalid value for count: ${shown}`,
    );
  }
  return found;
}
