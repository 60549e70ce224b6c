// The alternative that the benchmarks name: fengari used in the straightforward way. A new state for every run, the
// standard libraries opened, the script parsed, the input pushed, the result read back.
const { lua, lauxlib, lualib, to_luastring, to_jsstring } = require('fengari');

function push(L, value) {
  lua.lua_checkstack(L, 8);
  if (value === null || value === undefined) lua.lua_pushnil(L);
  else if (typeof value === 'string') lua.lua_pushstring(L, to_luastring(value));
  else if (typeof value === 'number') lua.lua_pushnumber(L, value);
  else if (typeof value === 'boolean') lua.lua_pushboolean(L, value);
  else if (Array.isArray(value)) {
    lua.lua_createtable(L, value.length, 0);
    value.forEach((item, i) => {
      push(L, item);
      lua.lua_rawseti(L, -2, i + 1);
    });
  } else {
    lua.lua_newtable(L);
    for (const [key, item] of Object.entries(value)) {
      push(L, item);
      lua.lua_setfield(L, -2, to_luastring(key));
    }
  }
}

function read(L, index) {
  const at = lua.lua_absindex(L, index);
  switch (lua.lua_type(L, at)) {
    case lua.LUA_TNIL:
      return null;
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(L, at);
    case lua.LUA_TNUMBER:
      return lua.lua_tonumber(L, at);
    case lua.LUA_TSTRING:
      return to_jsstring(lua.lua_tostring(L, at));
    default: {
      const length = lua.lua_rawlen(L, at);
      const entries = [];
      lua.lua_pushnil(L);
      while (lua.lua_next(L, at)) {
        entries.push([read(L, -2), read(L, -1)]);
        lua.lua_pop(L, 1);
      }
      if (entries.length === 0) return null;
      if (length > 0) {
        const list = new Array(length);
        for (const [key, value] of entries) list[key - 1] = value;
        return list;
      }
      entries.sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(entries);
    }
  }
}

function openJson(L) {
  lua.lua_newtable(L);
  lua.lua_pushcfunction(L, (S) => {
    lua.lua_pushstring(S, to_luastring(JSON.stringify(read(S, 1))));
    return 1;
  });
  lua.lua_setfield(L, -2, to_luastring('encode'));
  lua.lua_pushcfunction(L, (S) => {
    push(S, JSON.parse(to_jsstring(lua.lua_tostring(S, 1))));
    return 1;
  });
  lua.lua_setfield(L, -2, to_luastring('decode'));
  lua.lua_setglobal(L, to_luastring('json'));
}

/** Runs one script on one input; returns what it returned, as JSON text. */
function runNaively(source, obj) {
  const L = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(L);
  openJson(L);
  push(L, obj);
  lua.lua_setglobal(L, to_luastring('obj'));
  const bytes = to_luastring(source);
  if (lauxlib.luaL_loadbuffer(L, bytes, bytes.length, to_luastring('=<string>')) || lua.lua_pcall(L, 0, 1, 0)) {
    throw new Error(to_jsstring(lua.lua_tostring(L, -1)));
  }
  return JSON.stringify(read(L, -1));
}

module.exports = { runNaively };
