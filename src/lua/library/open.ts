import { Machine } from '../vm/machine';
import type { MachineSettings } from '../vm/settings';
import { LuaTable } from '../vm/table';
import { type Native, nativeFunction } from '../vm/value';
import { baseLibrary } from './base';
import { jsonLibrary } from './json';
import { mathConstants, mathLibrary } from './math';
import { gmatch, stringLibrary } from './string';
import { tableLibrary } from './table';

/**
 * A machine with the controller's libraries: base, math, table, string and json. Every run has tables of its own, since
 * scripts may change them; the functions in them cannot be changed and are shared.
 */
export function openMachine(settings: MachineSettings): Machine {
  templates ??= makeTemplates();
  const globals = templates.globals.copy();
  const loaded = new LuaTable();
  globals.setOther('_G', globals);
  loaded.setOther('_G', globals);
  for (const [name, template] of templates.libraries) {
    const library = template.copy();
    globals.setOther(name, library);
    loaded.setOther(name, library);
  }
  const string = globals.getString('string') as LuaTable;
  string.setOther('__index', string);
  return new Machine(globals, loaded, string, settings);
}

/** The names of the globals that a run created, in no particular order. They follow the predefined ones. */
export function globalsMade(machine: Machine): string[] {
  const names = machine.globals.keysFrom(templates!.globals.keyCount);
  return names.filter((name): name is string => typeof name === 'string');
}

interface Templates {
  readonly globals: LuaTable;
  readonly libraries: readonly (readonly [name: string, library: LuaTable])[];
}

let templates: Templates | undefined;

function makeTemplates(): Templates {
  const globals = tableOf(baseLibrary);
  globals.setOther('_G', true);
  globals.setOther('_VERSION', 'Lua 5.1');
  globals.setOther('_GOPHER_LUA_VERSION', 'GopherLua 0.1');
  const math = tableOf(mathLibrary);
  math.setOther('pi', mathConstants.pi);
  math.setOther('huge', mathConstants.huge);
  const string = tableOf(stringLibrary);
  string.setOther('gmatch', gmatch);
  string.setOther('gfind', gmatch);
  string.setOther('__index', true);
  const libraries = [
    ['math', math],
    ['table', tableOf(tableLibrary)],
    ['string', string],
    ['json', tableOf(jsonLibrary)],
  ] as const;
  // Reserve the keys that every run sets, so that runs share the index of keys.
  for (const [name] of libraries) globals.setOther(name, true);
  globals.setOther('obj', true);
  return { globals, libraries };
}

function tableOf(functions: Readonly<Record<string, Native>>): LuaTable {
  const table = new LuaTable();
  for (const name in functions) table.setOther(name, nativeFunction(functions[name]!));
  return table;
}
