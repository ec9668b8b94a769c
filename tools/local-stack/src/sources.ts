import { isDockerAvailable } from './docker.ts';
import { LocalStackError } from './error.ts';
import type { StackPart } from './part.ts';
import type { StackOptions } from './stack-options.ts';

/** A server that runs already. */
export function externalPart(name: StackPart['name'], url: string): StackPart {
  return {
    name,
    provider: 'external',
    url,
    nodes: [],
    start: async () => {},
    stop: async () => {},
  };
}

/** Throws when several nodes cannot be started, because a variable names a running server or there would be containers. */
export async function requireNative(
  env: NonNullable<StackOptions['env']>,
  variables: readonly string[],
): Promise<void> {
  const set = variables.find((variable) => env[variable]);
  if (set) throw new LocalStackError(`${set} names a running server, so several nodes cannot be started; unset it.`);
  if (env.SHOPSCOPE_STACK !== 'native' && (await isDockerAvailable())) {
    throw new LocalStackError('Several nodes do not run in containers; set SHOPSCOPE_STACK=native.');
  }
}
