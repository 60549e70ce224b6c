export { compileLua, runLua } from './engine';
export type { LuaData, LuaFailure, LuaResult, LuaRunOptions, LuaScript, LuaSuccess, LuaType } from './types';
