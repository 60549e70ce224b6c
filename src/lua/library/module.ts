import type { Machine } from '../vm/machine';
import { LuaTable } from '../vm/table';
import type { Native, Value } from '../vm/value';
import { isTrue, stringArgument } from './arguments';

/** `module` and `require` as they behave without the package library. */
export const moduleLibrary: Readonly<Record<string, Native>> = {
  module(args, machine: Machine) {
    const name = stringArgument(machine, args, 1);
    const module = findOrMake(machine, name);
    if (machine.index(module, '_NAME') === undefined) {
      machine.setIndex(module, '_M', module);
      machine.setIndex(module, '_NAME', name);
      machine.setIndex(module, '_PACKAGE', name.includes('.') ? name.slice(0, name.lastIndexOf('.') + 1) : '');
    }
    const caller = machine.frame?.parent;
    if (caller === undefined) return machine.raise('no calling stack.');
    if (caller.fn.prototype === undefined) machine.raise('module() can not be called from GFunctions.');
    caller.fn.env = module;
    for (const option of args.slice(1)) machine.call(option, [module]);
    return [module];
  },
  require(args, machine: Machine) {
    const loaded = machine.loadedModules.getString(stringArgument(machine, args, 1));
    return isTrue(loaded) ? [loaded] : machine.raise('package.loaders must be a table');
  },
};

function findOrMake(machine: Machine, name: string): LuaTable {
  const known = machine.loadedModules.getString(name);
  if (known instanceof LuaTable) return known;
  let table = machine.globals;
  for (const part of name.split('.')) {
    let next: Value = table.getString(part);
    if (next === undefined) {
      next = machine.newTable();
      table.setOther(part, next);
    }
    if (!(next instanceof LuaTable)) return machine.raise(`name conflict for module: ${name}`);
    table = next;
  }
  machine.loadedModules.setOther(name, table);
  return table;
}
