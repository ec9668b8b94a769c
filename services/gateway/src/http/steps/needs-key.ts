import type { ReceivedRequest } from '../request.ts';

/** Every path below /v1 requires a key, except public operations. This includes paths that do not exist. */
export function needsKey({ operation, path }: ReceivedRequest): boolean {
  return operation ? operation.access === 'key' : path === '/v1' || path.startsWith('/v1/');
}
