import { contractVersion } from '../../../contract/discovery.ts';
import { jsonReply } from '../reply.ts';
import type { Route } from './index.ts';

/** Reports that a dependency is unavailable, and never which one. */
export function getHealth(isDegraded: () => boolean): Route {
  return () => jsonReply(200, { status: isDegraded() ? 'degraded' : 'ok', version: contractVersion });
}
