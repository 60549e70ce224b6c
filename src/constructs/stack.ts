import type { IConstruct } from 'constructs';

/** Constructs whose objects make a stack of their own: all that goes to one cluster. */
const stacks = new WeakSet<IConstruct>();

/** Says that what is below a construct is a stack of its own. */
export function declareStack(construct: IConstruct): void {
  stacks.add(construct);
}

/** The construct that holds all objects of the stack that a construct belongs to: the App, unless it is told otherwise. */
export function stackOf(construct: IConstruct): IConstruct {
  for (let each: IConstruct | undefined = construct; each !== undefined; each = each.node.scope) {
    if (stacks.has(each)) return each;
  }
  return construct.node.root;
}
