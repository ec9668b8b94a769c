import { hash } from 'node:crypto';
import type { Redis } from './redis.ts';

export interface ScriptDefinition {
  /** A comment at the end of the text, which the slow log of the server shows. */
  name: string;
  lua: string;
}

/** Runs the script with keys (prefixed by the connection) and arguments; resolves with its result. */
export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
) => Promise<unknown>;

/**
 * Defines a Lua script, which is called by its hash. The server does not know the hash (restart, flush) -> the same call
 * sends the text. This is safe, because the first try ran nothing.
 */
export function defineScript({ name, lua }: ScriptDefinition): Script {
  const text = `${lua}\n-- ${name}`;
  const sha = hash('sha1', text);
  return async (redis, keys, args) => {
    try {
      return await redis.client.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.client.eval(text, keys.length, ...keys, ...args);
    }
  };
}
