import { didYouMean } from '../../core/did-you-mean';
import { compileLua, type LuaData, type LuaResult, type LuaScript } from '../../lua';
import { escapeJson } from '../../report/escape';
import { type Command, parseOptions } from '../command';
import { type Io, write } from '../io';
import { linesOf } from '../lines';
import { KRUISE_VERSION_HELP, KRUISE_VERSION_OPTION, kruiseVersionOf } from '../version-options';

const command: Command = {
  name: 'lua run',
  usage: `
usage: rollout-constructs lua run [--kruise-version <v>] < requests.jsonl

Reads one JSON document per line from stdin and answers each with one line on stdout, in the same order and at once:

  {"script": "return obj", "obj": {"weight": "20"}}   ->  {"ok":true,"type":"table","json":"{\\"weight\\":\\"20\\"}"}
  {"script": "return obj.a.b"}                        ->  {"ok":false,"stage":"run","error":"<string>:1: ..."}

  script   the text of a Lua script
  obj      the global "obj" that the script is given; absent = nil
  type     the Lua type of the value that the script returned
  json     that value as the controller encodes it, as a string, because its exact text matters
  stage    parse, run, encode; or input, when the line itself cannot be used: its error names the line
  stdout   what the script printed, if anything

Options
${KRUISE_VERSION_HELP}

A script that fails is an answer like any other. Blank lines are passed over.
Exit codes: 0 every line was answered by running its script; 2 a line could not be used (the others are still answered).
`,
  async run(args, io) {
    const { values } = parseOptions(command.name, args, KRUISE_VERSION_OPTION, { max: 0, what: '' });
    const { emptyTable } = kruiseVersionOf(values['kruise-version']).facts;
    if (io.isTTY.stdin) await write(io.stderr, 'reading JSON lines from the terminal; Ctrl-D ends\n');
    return serve(io, emptyTable);
  },
};

export default command;

/** Scripts kept compiled; pipelines run few scripts on much data. */
const CACHED_SCRIPTS = 64;

async function serve(io: Io, emptyTable: 'null' | '[]'): Promise<number> {
  const compiled = new Map<string, LuaScript>();
  let number = 0;
  let unusable = 0;
  for await (const line of linesOf(io.stdin)) {
    number++;
    if (line.trim() === '') continue;
    const request = readRequest(line, number);
    if ('error' in request) unusable++;
    const answer =
      'error' in request
        ? { ok: false, stage: 'input', error: request.error }
        : answerOf(scriptOf(compiled, request.script).run(request.obj, { emptyTable }));
    // The reader has gone: nobody waits for the rest. Leaving the loop closes stdin.
    if (!(await write(io.stdout, `${escapeJson(JSON.stringify(answer))}\n`))) break;
  }
  return unusable === 0 ? 0 : 2;
}

type Request = { readonly script: string; readonly obj: LuaData } | { readonly error: string };

const KEYS = ['script', 'obj'];

/** No Kubernetes object comes near; deeper data would only exhaust the stack. */
const MAX_DEPTH = 1000;

function readRequest(line: string, number: number): Request {
  const fault = (what: string) => ({ error: `line ${number}: ${what}` });
  let request: Record<string, unknown>;
  try {
    request = JSON.parse(line);
  } catch (error) {
    return fault(`not JSON: ${(error as Error).message}`);
  }
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return fault('expected an object {"script": ..., "obj": ...}');
  }
  const unknown = Object.keys(request).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, KEYS);
    return fault(`unknown key "${unknown}"${meant ? `; did you mean "${meant}"?` : '; the keys are script and obj'}`);
  }
  if (isDeeperThan(MAX_DEPTH, request.obj)) return fault(`"obj" is nested deeper than ${MAX_DEPTH} levels`);
  if (typeof request.script !== 'string') return fault('"script" must be a string with the text of a Lua script');
  return { script: request.script, obj: (request.obj ?? null) as LuaData };
}

function isDeeperThan(limit: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

function scriptOf(compiled: Map<string, LuaScript>, source: string): LuaScript {
  const script = compiled.get(source) ?? compileLua(source);
  compiled.delete(source);
  compiled.set(source, script);
  if (compiled.size > CACHED_SCRIPTS) compiled.delete(compiled.keys().next().value!);
  return script;
}

function answerOf(result: LuaResult): object {
  const stdout = result.stdout === '' ? {} : { stdout: result.stdout };
  if (result.ok) return { ok: true, type: result.type, json: result.json, ...stdout };
  const type = result.type === undefined ? {} : { type: result.type };
  return { ok: false, stage: result.stage, ...type, error: result.error, ...stdout };
}
