// `npm start`: without arguments, tests every script of the library against its testdata; with arguments, runs the
// command line. Needs tsx: it runs the sources, so that a fresh clone need not be compiled first.
import { main } from '../src/cli/main.ts';

const given = process.argv.slice(2);
process.exitCode = await main(given.length > 0 ? given : ['test', 'lua_configuration', '--coverage']);
