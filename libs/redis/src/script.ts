import { hash } from 'node:crypto';
import type { Redis } from './redis.ts';

export interface ScriptDefinition {
  /** Ends the text as a comment, for whoever reads the server's slow log. */
  name: string;
  lua: string;
}

/** Runs the script with these keys (prefixed by the connection) and arguments; resolves with what it returns. */
export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
) => Promise<unknown>;

/**
 * A Lua script called by its hash. A server that does not know it, because it restarted or was flushed, is given the
 * text by the call that finds out; nothing ran before, so that call is as good as the first.
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
