/**
 * What is found out once for each synth of an app. cdk8s validates the whole app again for every chart, so that otherwise the
 * cost is the number of charts times the number of objects.
 */
import type { App } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** A mark for each synth that is under way, by App. */
const underWay = new WeakMap<IConstruct, object>();
const prepared = new WeakSet<IConstruct>();

/** Values of one sort, by the construct that they belong to. */
export class OncePerSynth<Value> {
  private readonly values = new WeakMap<object, Map<IConstruct, Value>>();

  /** The value of the present synth. Outside of a synth, `otherwise` gives one. */
  of(construct: IConstruct, make: () => Value, otherwise = make): Value {
    const synth = underWay.get(construct.node.root);
    if (synth === undefined) return otherwise();
    const values = this.values.get(synth) ?? new Map<IConstruct, Value>();
    this.values.set(synth, values);
    if (!values.has(construct)) values.set(construct, make());
    return values.get(construct)!;
  }
}

/** Makes an app say when it synthesises; everything that asks for values of a synth does this first. */
export function tellSynths(root: IConstruct): void {
  if (prepared.has(root) || !isApp(root)) return;
  prepared.add(root);
  const { synth, synthYaml } = root;
  const within = <T>(run: () => T): T => {
    underWay.set(root, {});
    try {
      return run();
    } finally {
      underWay.delete(root);
    }
  };
  root.synth = () => within(() => synth.call(root));
  root.synthYaml = () => within(() => synthYaml.call(root));
}

// A test may have no App, and an app another copy of cdk8s.
function isApp(root: IConstruct): root is App {
  return 'synth' in root && 'synthYaml' in root;
}
