import { contractVersion } from '../../../contract/discovery.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

/** Says that something is wrong, never what. */
export function getHealth(isDegraded: () => boolean): Route {
  return () => jsonReply(200, { status: isDegraded() ? 'degraded' : 'ok', version: contractVersion });
}
