import type { Finding } from '../../../core/finding';
import { asList, asObject, isJsonObject, type JsonObject, type StringMap } from '../../../core/json';
import { annotationKey } from '../../../routers/ingress/alb-annotations';
import { returnedData } from '../contract';
import type { CheckedScript } from './checked-script';
import { aliyunNeighbours, restrictedIngress, stableSettings } from './sample-objects';
import type { Stage } from './stage';
import { byHeader, creation, describeStep, header, matching, pattern, type SampleStep, weight } from './step';
import { type Outcome, writtenAnnotations } from './trial';

/** The annotations for the AWS Load Balancer Controller after a step. */
interface AlbView {
  readonly annotations: StringMap;
  /** `actions.<name>` by name. */
  readonly actions: ReadonlyMap<string, JsonObject>;
  /** `conditions.<name>` by name. */
  readonly conditions: ReadonlyMap<string, readonly JsonObject[]>;
}

/** Checks the annotations that a script writes for an Application Load Balancer. */
export function* albChecks(script: CheckedScript): Iterable<Finding> {
  if (isForAliyun(script)) {
    yield* aliyunOrders(script);
    return;
  }
  for (const check of [globs, wildcards, cookies, lostTargetGroups, lostSettings, sameServices]) {
    // One stage is enough to show the defect.
    for (const stage of script.stages) {
      const findings = [...check(script, stage)];
      yield* findings;
      if (findings.length > 0) break;
    }
  }
  if (script.target.provider === 'ingress') {
    for (const check of [canaryOrders, idleActions]) {
      const findings = script.stages.map((stage) => check(script, stage));
      const first = findings.find((finding) => finding !== undefined);
      if (first) yield first;
    }
  }
}

function isForAliyun(script: CheckedScript): boolean {
  return script.target.provider === 'ingress' && script.target.classType === 'aliyun-alb';
}

function view(script: CheckedScript, stage: Stage, step: SampleStep): AlbView | undefined {
  const annotations = annotationsAfter(script, script.trial.play(stage, step));
  if (annotations === undefined) return undefined;
  const actions = new Map<string, JsonObject>();
  const conditions = new Map<string, readonly JsonObject[]>();
  for (const [key, text] of Object.entries(annotations)) {
    if (!key.startsWith(annotationKey(''))) continue;
    const [kind, ...name] = key.slice(annotationKey('').length).split('.');
    const value = kind === 'actions' || kind === 'conditions' ? parsed(text) : undefined;
    if (kind === 'actions' && isJsonObject(value)) actions.set(name.join('.'), value);
    // Aliyun's conditions, under the same prefix, have a `type` instead of a `field`.
    const list = asList(value)
      .filter(isJsonObject)
      .filter((condition) => 'field' in condition);
    if (kind === 'conditions' && list.length > 0) conditions.set(name.join('.'), list);
  }
  return { annotations, actions, conditions };
}

function annotationsAfter(script: CheckedScript, outcome: Outcome): StringMap | undefined {
  if (script.target.provider === 'ingress') return writtenAnnotations(outcome);
  const returned = outcome.kind === 'table' ? returnedData(outcome.result) : undefined;
  return returned?.ok ? returned.data.annotations : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All plain values, where * and ? are wildcards. */
function globsOf(seen: AlbView | undefined): string[] {
  const all = [...(seen?.conditions.values() ?? [])].flat();
  return all.flatMap((condition) => {
    const configs = Object.values(condition).filter(isJsonObject);
    return configs.flatMap((config) =>
      asList(config.values).map((value) => (isJsonObject(value) ? String(value.value) : String(value))),
    );
  });
}

const place = (script: CheckedScript) => script.literal('values');

function* globs(script: CheckedScript, stage: Stage): Iterable<Finding> {
  const samples = [
    matching({ headers: [pattern('x-user', '^(user-[0-9]+)$')] }),
    matching({ headers: [pattern('cookie', '^(user-[0-9]+)$')] }),
    matching({ queryParams: [pattern('user', '^(user-[0-9]+)$')] }),
  ];
  for (const step of samples) {
    const glob = globsOf(view(script, stage, step)).find((value) => value.includes('user-[0-9]+'));
    if (glob === undefined) continue;
    yield script.finding(
      'lua-alb-regex-as-glob',
      place(script),
      `the script writes the regular expression of ${describeStep(step)} to values, as ${glob}`,
    );
    return;
  }
  // The script adds an expression that the step does not have, such as `grey=.*` for the cookie `grey`.
  const invented = globsOf(view(script, stage, matching({ headers: [header('cookie', 'grey')] }))).find((value) =>
    value.includes('.*'),
  );
  if (invented !== undefined)
    yield script.finding(
      'lua-alb-regex-as-glob',
      place(script),
      `the script writes the cookie grey to values, as the regular expression ${invented}`,
    );
}

function* wildcards(script: CheckedScript, stage: Stage): Iterable<Finding> {
  const value = 'a*b?c';
  for (const step of [
    matching({ headers: [header('x-user', value)] }),
    matching({ queryParams: [header('user', value)] }),
  ]) {
    if (!globsOf(view(script, stage, step)).includes(value)) continue;
    yield script.finding(
      'lua-alb-wildcard-unescaped',
      place(script),
      `the script writes the exact value of ${describeStep(step)} unchanged to values`,
    );
    return;
  }
}

function* cookies(script: CheckedScript, stage: Stage): Iterable<Finding> {
  const step = matching({ headers: [header('cookie', 'grey=always')] });
  if (!globsOf(view(script, stage, step)).includes('grey=always')) return;
  yield script.finding(
    'lua-alb-cookie-whole-header',
    script.literal('cookie'),
    'the script writes the cookie grey=always to values, as the whole Cookie header',
  );
}

function targetGroups(action: JsonObject): readonly JsonObject[] {
  return asList(asObject(action.forwardConfig).targetGroups).filter(isJsonObject);
}

function* lostTargetGroups(script: CheckedScript, stage: Stage): Iterable<Finding> {
  const split = view(script, stage, weight(20));
  for (const step of [weight(100), matching(byHeader)]) {
    for (const [name, action] of view(script, stage, step)?.actions ?? []) {
      const before = split?.actions.get(name);
      if (before === undefined || targetGroups(action).length >= targetGroups(before).length) continue;
      const message = `action ${name} has ${targetGroups(before).length} target groups in ${describeStep(weight(20))} and ${targetGroups(action).length} in ${describeStep(step)}`;
      yield script.finding('lua-alb-target-group-dropped', script.literal('targetGroups'), message);
      return;
    }
  }
}

/** Every action that a step adds must keep the restrictions of the stable action. */
function* lostSettings(script: CheckedScript, stage: Stage): Iterable<Finding> {
  if (stage.name !== restrictedIngress) return;
  for (const step of [weight(20), matching(byHeader)]) {
    const seen = view(script, stage, step);
    for (const [name, action] of seen?.actions ?? []) {
      if (annotationKey(`actions.${name}`) in (stage.data.annotations ?? {})) continue;
      const conditions = seen?.annotations[annotationKey(`conditions.${name}`)] ?? '';
      const lost = [
        ...(conditions.includes(stableSettings.sourceAddresses) ? [] : [`conditions.${stage.stableService}`]),
        ...(seen?.annotations[annotationKey(`transforms.${name}`)] ? [] : [`transforms.${stage.stableService}`]),
      ];
      if (lost.length > 0) {
        const message = `action ${name} does not keep ${lost.join(' and ')} of the stable Service in ${describeStep(step)}`;
        yield script.finding('lua-alb-conditions-lost', script.literal(annotationKey('conditions.')), message);
      }
      if (!isSticky(action)) {
        const message = `action ${name} has no targetGroupStickinessConfig in ${describeStep(step)}, which the stable action has`;
        yield script.finding('lua-alb-stickiness-lost', script.literal(annotationKey('actions.')), message);
      }
      if (lost.length > 0 || !isSticky(action)) return;
    }
  }
}

function isSticky(action: JsonObject): boolean {
  const config = asObject(asObject(action.forwardConfig).targetGroupStickinessConfig);
  return config.durationSeconds === stableSettings.stickinessSeconds;
}

/** Runs the script as with disableGenerateCanaryService, or for a TrafficRouting. */
function* sameServices(script: CheckedScript, stage: Stage): Iterable<Finding> {
  const seen = view(script, { ...stage, canaryService: stage.stableService }, weight(20));
  for (const [name, action] of seen?.actions ?? []) {
    const names = targetGroups(action).map(({ serviceName }) => serviceName);
    if (names.length < 2 || new Set(names).size === names.length) continue;
    const message = `without a canary Service, action ${name} splits between ${names.join(' and ')}`;
    yield script.finding('lua-alb-same-service', script.firstRead('obj.canaryService'), message);
    return;
  }
}

function canaryOrders(script: CheckedScript, stage: Stage): Finding | undefined {
  const key = annotationKey('group.order');
  const stable = stage.data.annotations?.[key];
  const seen = view(script, stage, weight(20));
  if (stable === undefined || seen === undefined || seen.actions.size === 0) return undefined;
  const canary = seen.annotations[key];
  if (Number(canary ?? 0) < Number(stable)) return undefined;
  const message = `group.order of the canary Ingress is ${canary ?? 'absent'}, that of the stable one ${stable}: no request reaches the canary`;
  return script.finding('lua-alb-canary-never-wins', script.literal(key), message);
}

function idleActions(script: CheckedScript, stage: Stage): Finding | undefined {
  const idle = view(script, stage, creation);
  const active = view(script, stage, weight(20));
  if (idle === undefined || active === undefined) return undefined;
  const missing = [...active.actions.keys()].find((name) => !idle.actions.has(name));
  if (missing === undefined) return undefined;
  const message = `action ${missing} is missing when the controller creates the canary Ingress with weight 0`;
  return script.finding('lua-alb-idle-action-missing', script.literal(annotationKey('actions.')), message);
}

function* aliyunOrders(script: CheckedScript): Iterable<Finding> {
  const key = annotationKey('order');
  const orders = aliyunNeighbours.flatMap((name) => {
    const stage = script.stages.find((one) => one.name === name);
    const written = stage && writtenAnnotations(script.trial.play(stage, weight(20)));
    return stage && written ? [{ stable: stage.data.annotations?.[key], canary: written[key] }] : [];
  });
  const behind = orders.find(({ stable, canary }) => Number(canary ?? Number.POSITIVE_INFINITY) >= Number(stable));
  if (behind) {
    const message = `order of the canary Ingress is ${behind.canary ?? 'absent'}, that of the stable one ${behind.stable}: no request reaches the canary`;
    yield script.finding('lua-aliyun-order', script.literal(key), message);
  } else if (orders.length === 2 && orders[0]?.canary === orders[1]?.canary) {
    const message = `every canary Ingress gets the order ${orders[0]?.canary}: two canaries on one ALB collide`;
    yield script.finding('lua-aliyun-order', script.literal(key), message);
  }
}
