import type { Finding } from '../../../core/finding';
import type { Expression, Node, NodeOf } from '../../../lua/syntax';
import type { CheckedScript } from './checked-script';

/** Reports results of json.encode that the script uses without a check. */
export function* uncheckedEncodes(script: CheckedScript): Iterable<Finding> {
  for (const call of script.tree.all('Call')) {
    if (script.tree.calledFunction(call) !== 'json.encode' || isChecked(script, call)) continue;
    yield script.finding(
      'lua-json-encode-unchecked',
      call,
      'json.encode returns nil and a message when it fails, and the script does not check for nil',
    );
  }
}

function isChecked(script: CheckedScript, call: NodeOf<'Call'>): boolean {
  const parent = script.tree.parent(call);
  switch (parent?.kind) {
    // The caller gets both values.
    case 'Return':
      return parent.values.at(-1) === call;
    case 'CallStatement':
      return true;
    case 'Call':
      return isGuard(script, parent, call);
    case 'Binary':
      return parent.left === call && (parent.operator === 'or' || parent.operator === 'and');
    case 'Local':
      return receivers(parent.names, parent.values, call).some((name) => isTestedLater(script, name));
    case 'Assign':
      return receivers(parent.targets, parent.values, call).some(
        (target) => target.kind === 'Name' && isTestedLater(script, target),
      );
    default:
      return false;
  }
}

/** The names that get the results of a call: all that are left for the last value, otherwise one. */
function receivers<Name>(names: readonly Name[], values: readonly Expression[], call: Expression): readonly Name[] {
  const index = values.indexOf(call);
  return names.slice(index, index === values.length - 1 ? undefined : index + 1);
}

function isTestedLater(script: CheckedScript, target: NodeOf<'Name'>): boolean {
  const binding = script.tree.binding(target);
  if (binding) return binding.uses.some((use) => isTested(script, use));
  return script.tree.globals.some(
    ({ node, written }) => !written && node.name === target.name && isTested(script, node),
  );
}

/** Whether the outer call is `assert(call)`, or a function of the script that gets all results of the call. */
function isGuard(script: CheckedScript, outer: NodeOf<'Call'>, call: NodeOf<'Call'>): boolean {
  if (outer.arguments.at(-1) !== call) return false;
  if (script.tree.isGlobal(outer.callee, 'assert')) return outer.arguments[0] === call;
  return script.tree.valueOf(outer.callee).kind === 'Function';
}

/** Whether the script tests a value: in a condition, as an operand of `or` or `not`, or in an `assert`. */
function isTested(script: CheckedScript, use: Expression): boolean {
  let inner: Node = use;
  for (const around of script.tree.around(use)) {
    if (around === use) continue;
    if (around.kind === 'IfClause' || around.kind === 'While' || around.kind === 'Repeat')
      return around.condition === inner;
    // The condition around `a and b` or `a or b` tests the right operand too.
    if (around.kind === 'Binary' && (around.operator === 'or' || around.operator === 'and') && around.left === inner)
      return true;
    if (around.kind === 'Unary' && around.operator === 'not') return true;
    if (around.kind === 'Call' && script.tree.isGlobal(around.callee, 'assert')) return true;
    if (!('operator' in around) && around.kind !== 'Parenthesized') return false;
    inner = around;
  }
  return false;
}

const PORT_FIELD = /^servicePort$/i;

/** The names in other gateways. Only with the name of a Service in the same table is it clearly a Service port. */
const PORT_WITH_SERVICE = /^(service|backend|target)?port$/i;

/** Reports Service ports that are constants in the script. */
export function* fixedPorts(script: CheckedScript): Iterable<Finding> {
  for (const { place, name, value } of portValues(script)) {
    const literal = script.tree.valueOf(value);
    const port = literal.kind === 'Number' ? literal.value : literal.kind === 'String' ? literal.text : undefined;
    if (port === undefined || !/^\d+$/.test(String(port))) continue;
    yield script.finding('lua-port-hard-coded', place, `${name} is always ${port}, regardless of the Service's ports`);
  }
  for (const binary of script.tree.all('Binary')) {
    const port = portOfText(script, binary);
    if (port === undefined) continue;
    const message = `the port of the Service is always ${port}, regardless of the Service's ports`;
    yield script.finding('lua-port-hard-coded', binary.right, message);
  }
}

interface PortValue {
  readonly place: Node;
  readonly name: string;
  readonly value: Expression;
}

function* portValues(script: CheckedScript): Iterable<PortValue> {
  for (const field of script.tree.all('Field')) {
    if (field.key?.kind !== 'String') continue;
    const name = field.key.text;
    const isPort = PORT_FIELD.test(name) || (PORT_WITH_SERVICE.test(name) && namesService(script, field));
    if (isPort) yield { place: field, name, value: field.value };
  }
  for (const statement of script.tree.all('Assign')) {
    for (const [index, target] of statement.targets.entries()) {
      const value = statement.values[index];
      if (target.kind !== 'Index' || target.key.kind !== 'String' || !value) continue;
      if (PORT_FIELD.test(target.key.text)) yield { place: target, name: target.key.text, value };
    }
  }
}

/** Whether the table of a field names the canary or the stable Service. */
function namesService(script: CheckedScript, field: NodeOf<'Field'>): boolean {
  const table = script.tree.parent(field);
  return table?.kind === 'Table' && table.fields.some(({ value }) => isService(script, value));
}

function isService(script: CheckedScript, value: Expression): boolean {
  return ['obj.canaryService', 'obj.stableService'].includes(script.tree.pathOf(value) ?? '');
}

/** The port of `obj.canaryService .. ":80"`. */
function portOfText(script: CheckedScript, { operator, left, right }: NodeOf<'Binary'>): string | undefined {
  if (operator !== '..' || !isService(script, left)) return undefined;
  // The operator is right-associative: the text after the Service is the left operand of the rest.
  const next = right.kind === 'Binary' && right.operator === '..' ? right.left : right;
  const text = script.tree.valueOf(next);
  return text.kind === 'String' ? /^:(\d+)(?!\d)/.exec(text.text)?.[1] : undefined;
}
