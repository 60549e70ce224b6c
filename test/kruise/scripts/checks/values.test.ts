import { describe, expect, it } from 'vitest';
import { checkLines, firstExtraLine, rulesAndLines } from './check';

const key = 'annotations["demo.example.com/json"]';
const value = '{ weight = obj.weight }';

describe('results of json.encode', () => {
  it.each([
    `${key} = json.encode(${value})`,
    `${key} = (json.encode(${value}))`,
    `local text = json.encode(${value}) ${key} = text`,
    `local encode = json.encode ${key} = encode(${value})`,
    `${key} = string.format("%s", json.encode(${value}))`,
    `local list = { json.encode(${value}) } ${key} = list[1]`,
    `local text = json.encode(${value}) while annotations.never do error(text) end ${key} = text`,
    `local text = json.encode(${value}) if annotations.never then error(text) end ${key} = text`,
    `local text = json.encode(${value}) local other = obj.weight or text ${key} = text`,
    `local text text = json.encode(${value}) ${key} = text`,
  ])('have to be checked: %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([`lua-json-encode-unchecked:${firstExtraLine}`]);
  });

  it.each([
    `${key} = assert(json.encode(${value}))`,
    `${key} = json.encode(${value}) or error("cannot encode")`,
    `local text, err = json.encode(${value}) if not text then error(err) end ${key} = text`,
    `local text, err = json.encode(${value}) if err then error(err) end ${key} = text`,
    `local text, err = json.encode(${value}) assert(text, err) ${key} = text`,
    `local text = json.encode(${value}) if text == nil then error("cannot encode") end ${key} = text`,
    `local text, err = json.encode(${value}) while not text do error(err) end ${key} = text`,
    `local text, err = json.encode(${value}) repeat if not text then error(err) end until text ${key} = text`,
    `local text, err = json.encode(${value}) if (text) then ${key} = text end`,
    `local text, err = json.encode(${value}) if text ~= nil and err == nil then ${key} = text end`,
    `local text = json.encode(${value}) ${key} = text or error("cannot encode")`,
    `local text text = json.encode(${value}) if not text then error("cannot encode") end ${key} = text`,
    `local function encode(v) return json.encode(v) end ${key} = assert(encode(${value}))`,
    `local function must(text, err) if not text then error(err) end return text end ${key} = must(json.encode(${value}))`,
  ])('are checked: %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([]);
  });
});

describe('ports', () => {
  const encoded = (table: string) => `${key} = assert(json.encode(${table}))`;

  it.each([
    encoded('{ servicePort = 80, weight = obj.weight }'),
    encoded('{ ServicePort = "80", weight = obj.weight }'),
    `local group = { weight = obj.weight } group.servicePort = 80 ${encoded('group')}`,
    `local port = 8080 ${encoded('{ servicePort = port, weight = obj.weight }')}`,
    encoded('{ name = obj.canaryService, port = 80, weight = obj.weight }'),
    `local canary = obj.canaryService ${encoded('{ service = canary, backendPort = "80", weight = obj.weight }')}`,
    `${key} = obj.canaryService .. ":80=" .. obj.weight`,
    `${key} = obj.weight .. "@" .. obj.canaryService .. ":8080"`,
  ])('must not be hard-coded: %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([`lua-port-hard-coded:${firstExtraLine}`]);
  });

  it.each([
    encoded('{ servicePort = annotations["demo.example.com/port"], weight = obj.weight }'),
    encoded('{ servicePort = "use-annotation", weight = obj.weight }'),
    encoded('{ servicePort = "http80", weight = obj.weight }'),
    encoded('{ servicePort = "80http", weight = obj.weight }'),
    encoded('{ port = 80, weight = obj.weight }'),
    encoded('{ name = obj.canaryService, port = annotations["demo.example.com/port"], weight = obj.weight }'),
    encoded('{ name = obj.canaryService, backend = { port = 80 }, weight = obj.weight }'),
    `${key} = obj.canaryService .. ":http=" .. obj.weight`,
  ])('may be taken from the object: %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([]);
  });
});
