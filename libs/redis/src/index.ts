/** Redis connections and Lua scripts that fail fast. */
export { createRedis } from './create-redis.ts';
export type { Redis, RedisOptions } from './redis.ts';
export { defineScript, type Script, type ScriptDefinition } from './script.ts';
export { clusterSlots } from './slots.ts';
