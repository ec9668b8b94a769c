import type { Exchange } from './exchange.ts';

/** Every path below /v1 requires a key, except public operations. This includes paths that do not exist. */
export function needsKey({ operation, path }: Exchange): boolean {
  return operation ? operation.access === 'key' : path === '/v1' || path.startsWith('/v1/');
}
