import { didYouMean } from '../../../core/did-you-mean';
import type { Finding } from '../../../core/finding';
import type { Expression, NodeOf } from '../../../lua/syntax';
import type { KruiseRolloutFacts } from '../../facts';
import { KruiseRolloutVersion } from '../../version';
import type { ScriptTarget } from '../library';
import type { CheckedScript } from './checked-script';

/** The shape of `obj`: a record has exactly these fields; other values are not checked. */
type Shape = 'any' | { readonly list: Shape } | { readonly fields: Readonly<Record<string, Shape>> };

const value: Shape = 'any';
const condition: Shape = { fields: { type: value, name: value, value } };

function shapeOf(target: ScriptTarget, facts: KruiseRolloutFacts): Shape {
  const pair: Shape = { fields: { name: value, value } };
  const match: Shape = {
    fields: {
      headers: { list: condition },
      ...(facts.pathAndQueryMatches && {
        path: { fields: { type: value, value } },
        queryParams: { list: condition },
      }),
    },
  };
  const modifier: Shape = { fields: { set: { list: pair }, add: { list: pair }, remove: { list: value } } };
  const isIngress = target.provider === 'ingress';
  const hasModifier = isIngress ? facts.ingressRequestHeaderModifier : facts.customRequestHeaderModifier;
  return {
    fields: {
      canaryService: value,
      matches: { list: match },
      ...(hasModifier && { requestHeaderModifier: modifier }),
      ...(isIngress
        ? { annotations: value, weight: value }
        : {
            stableService: value,
            canaryWeight: value,
            stableWeight: value,
            data: { fields: { spec: value, labels: value, annotations: value } },
          }),
    },
  };
}

/** The replacement for a field of the other kind of script. */
const ELSEWHERE: Readonly<Record<ScriptTarget['provider'], Readonly<Record<string, string>>>> = {
  ingress: {
    'obj.stableService': 'string.gsub(obj.canaryService, "-canary$", "")',
    'obj.canaryWeight': 'tonumber(obj.weight)',
    'obj.stableWeight': '100 - tonumber(obj.weight)',
    'obj.data': 'obj.annotations; an ingress script gets no other part of the Ingress',
    'obj.spec': 'obj.annotations; an ingress script gets no other part of the Ingress',
  },
  custom: {
    'obj.weight': 'obj.canaryWeight, a number',
    'obj.annotations': 'obj.data.annotations',
    'obj.labels': 'obj.data.labels',
    'obj.spec': 'obj.data.spec',
    'obj.data.metadata': 'obj.data.labels and obj.data.annotations; the controller does not pass the name',
  },
};

/** Reports reads of fields that `obj` never has. */
export function* absentFields(script: CheckedScript): Iterable<Finding> {
  const shape = shapeOf(script.target, script.version.facts);
  const newest = shapeOf(script.target, KruiseRolloutVersion.LATEST.facts);
  const { tree } = script;
  if (tree.globals.some(({ node, written }) => written && node.name === 'obj')) return;
  const set = new Set(tree.all('Assign').flatMap(({ targets }) => targets.map((target) => tree.pathOf(target))));
  const calledWith = tree.all('FunctionStatement').map(({ target }) => tree.pathOf(target));
  for (const index of tree.all('Index')) {
    const path = tree.pathOf(index);
    if (path === undefined || set.has(path) || calledWith.includes(path) || isFallback(script, index)) continue;
    const object = tree.pathOf(index.object);
    const record = object === undefined ? undefined : lookUp(shape, object);
    if (record === undefined || record === 'any' || !('fields' in record) || index.key.kind !== 'String') continue;
    if (Object.hasOwn(record.fields, index.key.text)) continue;
    // A script for several releases reads it where it is there.
    const later = lookUp(newest, object!);
    const isLater = typeof later === 'object' && 'fields' in later && Object.hasOwn(later.fields, index.key.text);
    const where = isLater ? `${describe(script.target)} of Kruise Rollouts ${script.version}` : describe(script.target);
    yield script.finding('lua-field-absent', index, `${path} is always nil in ${where}`, {
      ...(isLater && { severity: 'note' as const }),
      fix: instead(script.target, path, object!, index.key.text, Object.keys(record.fields)),
    });
  }
}

function instead(target: ScriptTarget, path: string, object: string, field: string, known: readonly string[]): string {
  const elsewhere = ELSEWHERE[target.provider][path];
  if (elsewhere) return `use ${elsewhere}`;
  const meant = didYouMean(field, known);
  return meant ? `did you mean ${object}.${meant}?` : `${object} has ${known.join(', ')}`;
}

function describe(target: ScriptTarget): string {
  return target.provider === 'ingress' ? 'an ingress script' : 'a custom script';
}

function lookUp(shape: Shape, path: string): Shape | undefined {
  const [root, ...parts] = path.replaceAll('[]', '.[]').split('.');
  if (root !== 'obj') return undefined;
  let at: Shape | undefined = shape;
  for (const part of parts) {
    if (at === undefined || at === 'any') return undefined;
    if (part === '[]') at = 'list' in at ? at.list : undefined;
    else at = 'fields' in at && Object.hasOwn(at.fields, part) ? at.fields[part] : undefined;
  }
  return at;
}

/** `obj.stableService or …`: prepared for a controller that may add the field. */
function isFallback(script: CheckedScript, index: NodeOf<'Index'>): boolean {
  const parent = script.tree.parent(index);
  return parent?.kind === 'Binary' && parent.operator === 'or' && parent.left === index;
}

const COMPARISONS: readonly string[] = ['==', '~=', '<', '<=', '>', '>='];

/** Reports weights that are compared with a value of another type. */
export function* comparedWeights(script: CheckedScript): Iterable<Finding> {
  for (const comparison of script.tree.all('Binary')) {
    if (!COMPARISONS.includes(comparison.operator)) continue;
    const left = operand(script, comparison.left);
    const right = operand(script, comparison.right);
    if (!left.type || !right.type || left.type === right.type) continue;
    const weight = left.weight ? left : right.weight ? right : undefined;
    if (weight === undefined) continue;
    const other = weight === left ? right : left;
    yield script.finding(
      'lua-weight-type',
      comparison,
      `${weight.weight} is a ${weight.type}, but is compared with a ${other.type}: ${effect(comparison.operator)}`,
      { fix: `write ${correction(comparison.operator, weight, other)}` },
    );
  }
}

function effect(operator: string): string {
  if (operator === '==') return 'the comparison is always false';
  return operator === '~=' ? 'the comparison is always true' : 'the script stops here';
}

interface Operand {
  readonly type?: 'string' | 'number';
  /** The expression, if it is a weight. */
  readonly weight?: string;
  readonly literal?: string | number;
}

function correction(operator: string, weight: Operand, other: Operand): string {
  const number = Number(other.literal);
  if (weight.type === 'number' && other.literal !== undefined && !Number.isNaN(number))
    return `${weight.weight} ${operator} ${number}`;
  const isEquality = operator === '==' || operator === '~=';
  if (weight.type === 'string' && isEquality && typeof other.literal === 'number')
    return `${weight.weight} ${operator} "${other.literal}"`;
  return weight.type === 'string' ? `tonumber(${weight.weight}), or a string` : `a number`;
}

function operand(script: CheckedScript, expression: Expression): Operand {
  const { tree } = script;
  const path = tree.pathOf(expression);
  const isIngress = script.target.provider === 'ingress';
  if (isIngress && path === 'obj.weight') return { type: 'string', weight: path };
  if (!isIngress && (path === 'obj.canaryWeight' || path === 'obj.stableWeight'))
    return { type: 'number', weight: path };
  const resolved = tree.valueOf(expression);
  const type = tree.typeOf(resolved);
  if (resolved.kind === 'Number') return { type, literal: resolved.value };
  if (resolved.kind === 'String') return { type, literal: resolved.text };
  if (resolved.kind === 'Unary' && resolved.operand.kind === 'Number' && resolved.operator === '-')
    return { type, literal: -resolved.operand.value };
  const converted = resolved.kind === 'Call' ? tree.pathOf(resolved.callee) : undefined;
  const [argument] = resolved.kind === 'Call' ? resolved.arguments : [];
  const inner = argument && (converted === 'tonumber' || converted === 'tostring') ? operand(script, argument) : {};
  return inner.weight ? { type, weight: `${converted}(${inner.weight})` } : { type };
}
