import type { IConstruct } from 'constructs';

/** Constructs with a stack of their own: all objects for one cluster. */
const stacks = new WeakSet<IConstruct>();

/** Declares that the objects below a construct are a stack of their own. */
export function declareStack(construct: IConstruct): void {
  stacks.add(construct);
}

/** The construct that holds the stack of a construct: the App, unless another one is declared. */
export function stackOf(construct: IConstruct): IConstruct {
  for (let each: IConstruct | undefined = construct; each !== undefined; each = each.node.scope) {
    if (stacks.has(each)) return each;
  }
  return construct.node.root;
}
