import type { Finding } from '../../../core/finding';
import type { Rule } from '../../../core/rule';
import { compileLua } from '../../../lua';
import { loadLua } from '../../../lua/load';
import { LuaSyntaxError, type ParsedScript } from '../../../lua/syntax';
import { kruiseCatalogue } from '../../catalogue';
import { KruiseRolloutVersion } from '../../version';
import type { ScriptTarget } from '../library';
import { type ScriptRuleId, scriptRules } from '../rules';
import type { Testdata } from '../testdata';
import { albChecks } from './alb';
import { type Check, CheckedScript } from './checked-script';
import { renamedHeaders, splitValues } from './conditions';
import { crashes, limits } from './crashes';
import { absentFields, comparedWeights } from './fields';
import { ignoredParts, ignoredSteps, weightsBesideMatches, widenedMatches } from './ignored';
import { changedMeanings, madeGlobals, overwrittenInput, unavailableNames } from './names';
import { orderDependence } from './order';
import { repeats } from './repeats';
import { missingReturns, type Played, unwritableResults, wipedObjects, wrongAnnotations } from './results';
import { sampleStages } from './sample-objects';
import { type Stage, testdataStages } from './stage';
import { byHeader, creation, isKnownTo, matching, shapes, weight } from './step';
import { applyComments, withoutAccepted } from './suppressed';
import { syntaxFinding } from './syntax';
import { testdataCoverage } from './testdata';
import { ScriptTree } from './tree';
import { fixedPorts, uncheckedEncodes } from './values';

/** A routing script to check. */
export interface ScriptToCheck {
  readonly source: string;
  /**
   * The script's file, as findings show it.
   * @default '<string>', the name that the controller uses
   */
  readonly file?: string;
  readonly target: ScriptTarget;
  /**
   * The script's testdata. The check runs the script on its objects too, which is necessary for a kind that has no sample
   * objects in this package. An empty list is a finding.
   * @default - not known: the check reports nothing about testdata
   */
  readonly testdata?: readonly Testdata[];
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
}

const textChecks: readonly Check[] = [
  unavailableNames,
  changedMeanings,
  overwrittenInput,
  absentFields,
  comparedWeights,
  uncheckedEncodes,
  fixedPorts,
];

const behaviourChecks: readonly Check[] = [
  repeats,
  ignoredSteps,
  ignoredParts,
  widenedMatches,
  weightsBesideMatches,
  orderDependence,
  renamedHeaders,
  splitValues,
  albChecks,
  testdataCoverage,
];

/** More objects than this find nothing new. */
const MAX_STAGES = 5;

/** Rules for a line that makes the script stop: don't report the crash on that line as well. */
const explainsCrash: readonly string[] = [
  'lua-unavailable',
  'lua-field-absent',
  'lua-weight-type',
] satisfies ScriptRuleId[];

/** Rules for results that may have nothing left to compare. */
const discardsResult: readonly string[] = ['lua-object-wiped', 'lua-annotations-dropped'] satisfies ScriptRuleId[];

/**
 * Consequences of such a result, not defects: the same empty result for every step, or a returned `obj` with its weight.
 */
const followsFromDiscarding: readonly string[] = [
  'lua-step-ignored',
  'lua-weight-beside-matches',
] satisfies ScriptRuleId[];

/**
 * Checks a routing script: reads its text, and runs it on inputs as the controller would pass them. The same script always
 * gives the same sorted findings.
 *
 * A comment `-- rollout-constructs.io/ignore <rule>: <reason>` in the script accepts the findings of a rule.
 *
 * @example
 * const findings = checkScript({
 *   source: readFileSync('aws-alb.lua', 'utf8'),
 *   file: 'aws-alb.lua',
 *   target: { provider: 'ingress', classType: 'aws-alb' },
 * });
 */
export function checkScript(script: ScriptToCheck): Finding[] {
  return withoutAccepted(checkScriptAndComments(script));
}

/** The same with the findings that comments accept, marked so. */
export function checkScriptAndComments(script: ScriptToCheck): Finding[] {
  const { source, file = '<string>' } = script;
  const parsed = parse(source);
  const { findings, checked } =
    parsed instanceof LuaSyntaxError
      ? { findings: [syntaxFinding(source, file, parsed)], checked: [scriptRules['lua-syntax']] }
      : check(checkedScript(script, parsed));
  const catalogue = kruiseCatalogue();
  return [...applyComments(onePerPlace(findings), { source, file, catalogue, checked })];
}

function parse(source: string): ParsedScript | LuaSyntaxError {
  try {
    return loadLua(source);
  } catch (error) {
    if (error instanceof LuaSyntaxError) return error;
    throw error;
  }
}

function checkedScript(script: ScriptToCheck, parsed: ParsedScript): CheckedScript {
  const { source, file = '<string>', target, testdata, version = KruiseRolloutVersion.LATEST } = script;
  const samples = sampleStages(target, version);
  const stages = [...samples, ...testdataStages(testdata ?? [], target, version, MAX_STAGES - samples.length)];
  return new CheckedScript(source, file, target, version, new ScriptTree(parsed), compileLua(source), stages, testdata);
}

interface Checked {
  readonly findings: readonly Finding[];
  /** The rules that were checked. */
  readonly checked: readonly Rule[];
}

function check(script: CheckedScript): Checked {
  const read = textChecks.flatMap((one) => [...one(script)]);
  // A script that replaces its input shows nothing about the controller's input.
  const runs = !read.some(({ rule }) => rule === 'lua-obj-overwritten');
  const played = runs ? play(script) : [];
  const explained = new Set(read.filter(({ rule }) => explainsCrash.includes(rule)).map(({ source }) => source?.line));
  const stopped = [...crashes(script, played)].filter(({ source }) => !explained.has(source?.line));
  const results = [missingReturns, unwritableResults, wrongAnnotations, wipedObjects].flatMap((one) => [
    ...one(script, played),
  ]);
  const complete = runs && script.trial.limit === undefined;
  const behaviour = complete ? behaviourChecks.flatMap((one) => [...one(script)]) : [];
  const discarded = results.some(({ rule }) => discardsResult.includes(rule));
  const reported = behaviour.filter(({ rule }) => !(discarded && followsFromDiscarding.includes(rule)));
  const limited = [...limits(script)];
  const findings = [...read, ...madeGlobals(script), ...stopped, ...results, ...reported, ...limited];
  return { findings, checked: checkedRules(script, complete) };
}

/** Plays the run that creates the canary Ingress, then every shape of step, on every object. */
function play(script: CheckedScript): Played[] {
  const { facts } = script.version;
  const known = shapes.filter((step) => isKnownTo(facts, script.target.provider, step));
  const played = script.stages.flatMap((stage) => [
    { stage, step: creation, outcome: script.trial.play(stage) },
    ...known.map((step) => ({ stage, step, outcome: script.trial.play(stage, step) })),
  ]);
  return [...played, ...script.stages.slice(0, 1).flatMap((stage) => playWithoutCanaryService(script, stage))];
}

/** Plays as the controller does with disableGenerateCanaryService, and for a TrafficRouting. */
function playWithoutCanaryService(script: CheckedScript, plain: Stage): Played[] {
  const { stableService } = plain;
  const stage = { ...plain, canaryService: stableService, name: `${plain.name}, without a canary Service` };
  return [weight(20), matching(byHeader)].map((step) => ({ stage, step, outcome: script.trial.play(stage, step) }));
}

/** The rules that were checked. A suppression of any other rule must not be reported as unused. */
function checkedRules(script: CheckedScript, complete: boolean): readonly Rule[] {
  if (!complete) return [];
  return Object.values(scriptRules).filter(
    ({ id }) => script.testdata !== undefined || !id.startsWith('lua-testdata-'),
  );
}

function onePerPlace(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.source?.line, finding.source?.column]);
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
}
