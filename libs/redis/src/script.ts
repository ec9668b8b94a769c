import { hash } from 'node:crypto';
import type { Redis } from './redis.ts';

export interface ScriptDefinition {
  /** Appended to the text as a comment, so that the server's slow log shows it. */
  name: string;
  lua: string;
}

/** Runs the script with keys (the connection adds its prefix) and arguments. Resolves to the result of the script. */
export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
) => Promise<unknown>;

/**
 * A Lua script that is called by its hash. A server that was restarted or flushed responds NOSCRIPT and has executed
 * nothing, so the call is repeated with the text of the script.
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
