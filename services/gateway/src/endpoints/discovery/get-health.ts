import { jsonReply } from '../../http/reply/reply.ts';
import type { Route } from '../route.ts';
import { contractVersion } from './contract.ts';

/** Reports that a dependency is unavailable, and never which one. */
export function getHealth(isDegraded: () => boolean): Route {
  return () => jsonReply(200, { status: isDegraded() ? 'degraded' : 'ok', version: contractVersion });
}
