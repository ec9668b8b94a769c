/** Redis connections and Lua scripts that fail fast. */
export { createRedis, type Redis, type RedisOptions } from './redis.ts';
export { defineScript, type Script, type ScriptDefinition } from './script.ts';
