import { preflightHeaders } from '../../contract/cors.ts';
import type { OperationIndex } from '../operation-index.ts';
import type { Reply } from '../reply/reply.ts';
import type { ReceivedRequest } from '../request.ts';

/** The reply to a CORS preflight of a public document, which has no key. On other paths OPTIONS is an unknown method. */
export function preflightReply(index: OperationIndex, { method, path }: ReceivedRequest): Reply | undefined {
  if (method !== 'OPTIONS' || index.find('GET', path)?.operation.access !== 'public') return undefined;
  return { status: 204, headers: { ...preflightHeaders }, body: undefined };
}
