/** Where exactly the checks of values find something, and the near misses where they find nothing. */
import { describe, expect, it } from 'vitest';
import { checkLines } from './check';

const KEY = 'annotations["demo.example.com/json"]';
const TABLE = '{ weight = obj.weight }';
const textOf = (line: string) => line.replaceAll('KEY', KEY).replaceAll('TABLE', TABLE);
const found = (script: string) =>
  checkLines(...script.split('\n').map(textOf)).map(
    ({ rule, message, source }) => `${rule} ${source?.line}:${source?.column}: ${message}`,
  );

const unchecked = (at: string) =>
  `lua-json-encode-unchecked ${at}: json.encode returns nil and a message when it fails, and the script does not check for nil`;

describe('a json.encode that is not checked', () => {
  it.each<[script: string, places: readonly string[]]>([
    ['KEY = json.encode(TABLE)', ['4:40']],
    ['\nKEY = json.encode(TABLE)', ['5:40']],
    ['local a, b = json.encode(TABLE), json.encode(TABLE)\nKEY = a .. b', ['4:14', '4:52']],
    ['local a, b = json.encode(TABLE), json.encode(TABLE)\nif not a then error("a") end\nKEY = a', ['4:52']],
    ['local a, b\na, b = json.encode(TABLE), json.encode(TABLE)\nif not a then error("a") end\nKEY = a', ['5:46']],
    ['local a, b = json.encode(TABLE), json.encode(TABLE)\nif not b then error("a") end\nKEY = b', ['4:14']],
    ['local text = json.encode(TABLE)\nlocal other = obj.weight and text\nKEY = other', ['4:14']],
    ['KEY = json.encode(TABLE) .. ""', ['4:40']],
    ['KEY = "" .. json.encode(TABLE)', ['4:46']],
    ['KEY = json.encode(TABLE) == nil and "" or "a"', ['4:40']],
    ['KEY = obj.weight or json.encode(TABLE)', ['4:54']],
    ['KEY = obj.weight and json.encode(TABLE)', ['4:55']],
    ['local text = obj.weight or json.encode(TABLE)\nif not text then error("a") end\nKEY = text', ['4:28']],
    ['local text = json.encode(TABLE)\nlocal size = #text\nKEY = text .. size', ['4:14']],
    ['local text = json.encode(TABLE)\ntostring(text)\nKEY = text', ['4:14']],
    ['local text = json.encode(TABLE)\nif obj.weight then KEY = text end', ['4:14']],
    ['local text = json.encode(TABLE)\ntext = text .. ""\nKEY = text', ['4:14']],
    ['local text\ntext = json.encode(TABLE)\nKEY = text', ['5:8']],
    ['local t = {}\nt.text = json.encode(TABLE)\nif not t.text then error("a") end\nKEY = t.text', ['5:10']],
    ['local function f() return json.encode(TABLE), "a" end\nKEY = f()', ['4:27']],
    ['local function f(text) return text end\nKEY = f(json.encode(TABLE), "a")', ['5:42']],
    ['KEY = assert("a", json.encode(TABLE))', ['4:52']],
    ['KEY = tostring(json.encode(TABLE))', ['4:49']],
    ['local assert = tostring\nKEY = assert(json.encode(TABLE))', ['5:47']],
    ['local list = { json.encode(TABLE) }\nKEY = list[1]', ['4:16']],
    ['for _, text in ipairs({ json.encode(TABLE) }) do KEY = text end', ['4:25']],
    ['local encode = json.encode\nKEY = encode(TABLE)', ['5:40']],
    ['local lib = json\nKEY = lib.encode(TABLE)', ['5:40']],
    ['local text = json.encode(TABLE)\ndo local text = text\nif text then KEY = text end end', ['4:14']],
  ])('%j is at %j', (script, places) => {
    expect(found(script)).toEqual(places.map(unchecked));
  });

  it.each([
    [
      'the text is the result of a function that returns both values',
      'local function f() return json.encode(TABLE) end\nKEY = assert(f())',
    ],
    ['the result is not used', 'json.encode(TABLE)'],
    [
      'a function of the script gets both values',
      'local function f(text, err)\nif err then error(err) end\nreturn text end\nKEY = f(json.encode(TABLE))',
    ],
    ['it has another value', 'KEY = json.encode(TABLE) or "{}"'],
    ['another value follows it', 'KEY = json.encode(TABLE) and "a" or "b"'],
    ['a later line sets the local and tests it', 'local text\ntext = json.encode(TABLE)\nassert(text)\nKEY = text'],
    ['a comparison tests it', 'local text = json.encode(TABLE)\nif text == nil then error("a") end\nKEY = text'],
    [
      'a comparison with it on the right tests it',
      'local text = json.encode(TABLE)\nif nil == text then error("a") end\nKEY = text',
    ],
    ['the end of a loop tests it', 'local text\nrepeat text = json.encode(TABLE) until text\nKEY = text'],
    ['a loop tests it', 'local text = json.encode(TABLE)\nwhile text == nil do error("a") end\nKEY = text'],
    [
      'the second value is tested',
      'local text, err = json.encode(TABLE)\nif err ~= nil then error(err) end\nKEY = text',
    ],
    [
      'it comes before "and" in a condition',
      'local text = json.encode(TABLE)\nif text and obj.weight then KEY = text end',
    ],
    [
      'it comes after "and" in a condition',
      'local text = json.encode(TABLE)\nif obj.weight and text then KEY = text end',
    ],
    [
      'it comes after "or" in a condition',
      'local text = json.encode(TABLE)\nif not (obj.never or text) then error("a") end\nKEY = text',
    ],
    [
      'the last of two results gets both values',
      'local a, text, err = 1, json.encode(TABLE)\nassert(not err)\nKEY = text',
    ],
    ['it comes in parentheses', 'local text = json.encode(TABLE)\nif not (text) then error("a") end\nKEY = text'],
    ['the function has another name', 'local function encode() return "{}" end\nKEY = encode(TABLE)'],
    ['it is another function of json', 'KEY = json.decode("{\\"a\\":\\"b\\"}").a'],
  ])('is none if %s', (_, script) => {
    expect(found(script)).toEqual([]);
  });
});

describe('a port that is always the same', () => {
  const encoded = (table: string) => `KEY = assert(json.encode(${table}))`;

  it.each<[script: string, findings: readonly string[]]>([
    [
      encoded('{ servicePort = 80 }'),
      ["lua-port-hard-coded 4:61: servicePort is always 80, regardless of the Service's ports"],
    ],
    [
      encoded('{ SERVICEPORT = 80 }'),
      ["lua-port-hard-coded 4:61: SERVICEPORT is always 80, regardless of the Service's ports"],
    ],
    [
      encoded('{ ["servicePort"] = "8080" }'),
      ["lua-port-hard-coded 4:61: servicePort is always 8080, regardless of the Service's ports"],
    ],
    [
      encoded('{ servicePort = (80) }'),
      ["lua-port-hard-coded 4:61: servicePort is always 80, regardless of the Service's ports"],
    ],
    [
      `local one = 80\nlocal two = one\n${encoded('{ servicePort = two }')}`,
      ["lua-port-hard-coded 6:61: servicePort is always 80, regardless of the Service's ports"],
    ],
    [
      encoded('{ service = obj.canaryService, port = 80 }'),
      ["lua-port-hard-coded 4:90: port is always 80, regardless of the Service's ports"],
    ],
    [
      encoded('{ port = 80, name = obj.canaryService }'),
      ["lua-port-hard-coded 4:61: port is always 80, regardless of the Service's ports"],
    ],
    [
      encoded('{ name = obj.canaryService, targetPort = 81 }'),
      ["lua-port-hard-coded 4:87: targetPort is always 81, regardless of the Service's ports"],
    ],
    [
      encoded('{ name = obj.canaryService, BackendPort = 82 }'),
      ["lua-port-hard-coded 4:87: BackendPort is always 82, regardless of the Service's ports"],
    ],
    [
      encoded('{ obj.canaryService, servicePort = 83 }'),
      ["lua-port-hard-coded 4:80: servicePort is always 83, regardless of the Service's ports"],
    ],
    [
      `local group = {}\ngroup.servicePort = 84\n${encoded('group')}`,
      ["lua-port-hard-coded 5:1: servicePort is always 84, regardless of the Service's ports"],
    ],
    [
      `local group = {}\ngroup["servicePort"] = 84\n${encoded('group')}`,
      ["lua-port-hard-coded 5:1: servicePort is always 84, regardless of the Service's ports"],
    ],
    [
      `local group = {}\ngroup.name, group.servicePort = "a", 85\n${encoded('group')}`,
      ["lua-port-hard-coded 5:13: servicePort is always 85, regardless of the Service's ports"],
    ],
    [
      'KEY = obj.canaryService .. ":80"',
      ["lua-port-hard-coded 4:61: the port of the Service is always 80, regardless of the Service's ports"],
    ],
    [
      'KEY = (obj.canaryService) .. ":80" .. "/"',
      ["lua-port-hard-coded 4:63: the port of the Service is always 80, regardless of the Service's ports"],
    ],
    [
      'local service = obj.canaryService\nlocal port = ":8080"\nKEY = service .. port',
      ["lua-port-hard-coded 6:51: the port of the Service is always 8080, regardless of the Service's ports"],
    ],
    [
      'KEY = obj.canaryService .. ":80/"',
      ["lua-port-hard-coded 4:61: the port of the Service is always 80, regardless of the Service's ports"],
    ],
    [
      `${encoded('{ servicePort = 80 }')}\nKEY = obj.canaryService .. ":81"`,
      [
        "lua-port-hard-coded 4:61: servicePort is always 80, regardless of the Service's ports",
        "lua-port-hard-coded 5:61: the port of the Service is always 81, regardless of the Service's ports",
      ],
    ],
  ])('%j has %j', (script, findings) => {
    expect(found(script)).toEqual(findings);
  });

  it.each([
    ['it is another field', encoded('{ servicePorts = 80 }')],
    ['the field begins with other letters', encoded('{ theServicePort = 80 }')],
    ['no field is named', encoded('{ 80 }')],
    ['the key is not a constant', `local key = obj.weight\n${encoded('{ [key] = 80 }')}`],
    ['the number has a fraction', encoded('{ servicePort = 80.5 }')],
    ['the text is a name', encoded('{ servicePort = "http" }')],
    ['the text is empty', encoded('{ servicePort = "" }')],
    ['it is a boolean', encoded('{ servicePort = true }')],
    [
      'it is set again',
      `local port = 80\nif obj.weight then port = tonumber(obj.weight) end\n${encoded('{ servicePort = port }')}`,
    ],
    ['no Service is in the table', encoded('{ name = "web", port = 80 }')],
    ['another table has the Service', encoded('{ { name = obj.canaryService }, { port = 80 } }')],
    ['the field is in a table of the table', encoded('{ name = obj.canaryService, health = { port = 80 } }')],
    ['it is a port of something else', encoded('{ name = obj.canaryService, healthPort = 80 }')],
    [
      'the script sets the field "port" of a table',
      `local group = { name = obj.canaryService }\ngroup.port = 80\n${encoded('group')}`,
    ],
    ['the key of the statement is not a constant', `local group = {}\ngroup[1] = 80\n${encoded('group')}`],
    ['the statement sets a local', `local servicePort\nservicePort = 80\n${encoded('{ servicePort + 0 }')}`],
    [
      'the statement has no value for the field',
      `local group = {}\ngroup.name, group.servicePort = "a"\n${encoded('group')}`,
    ],
    ['the text does not begin with a colon', 'KEY = obj.canaryService .. "80"'],
    ['the text has no number after the colon', 'KEY = obj.canaryService .. ":http"'],
    ['the number comes later', 'KEY = obj.canaryService .. "/:80"'],
    ['the text is not after the Service', 'KEY = obj.weight .. ":80"'],
    ['the Service comes after the text', 'KEY = ":80" .. obj.canaryService'],
    ['something is between the Service and the text', 'KEY = obj.canaryService .. obj.weight .. ":80"'],
  ])('is none if %s', (_, script) => {
    expect(found(script)).toEqual([]);
  });
});
