import { preflightHeaders } from '../../contract/cors.ts';
import type { AuthenticateKey } from '../../keys/authenticate-key.ts';
import { readBearerToken } from '../../keys/bearer-token.ts';
import type { OperationIndex } from '../operation-index.ts';
import type { Reply } from '../reply/reply.ts';
import type { AuthenticatedRequest, ReadRequest, ReceivedRequest } from '../request.ts';

/** Whether a path requires a key: every path below /v1 except public operations does, including paths that do not exist. */
export function needsKey({ operation, path }: ReceivedRequest): boolean {
  return operation ? operation.access === 'key' : path === '/v1' || path.startsWith('/v1/');
}

/** Returns the reply to a CORS preflight of a public document. A preflight has no key. On other paths, OPTIONS is an unknown method. */
export function preflightReply(index: OperationIndex, { method, path }: ReceivedRequest): Reply | undefined {
  if (method !== 'OPTIONS' || index.find('GET', path)?.operation.access !== 'public') return undefined;
  return { status: 204, headers: { ...preflightHeaders }, body: undefined };
}

/**
 * Authenticates the key of a request. All later work of the request is of the environment of the key. Throws the refusal of the
 * screening, if there was one.
 */
export async function authenticate(
  { authenticateKey }: { authenticateKey: Pick<AuthenticateKey, 'authenticate'> },
  request: ReadRequest,
): Promise<AuthenticatedRequest> {
  if (request.refusal !== undefined) throw request.refusal;
  const caller = await authenticateKey.authenticate(readBearerToken(request.message), request);
  const { requestId, traceparent } = request.origin;
  // A new object: calls that began before the authentication keep theirs.
  request.origin = { requestId, traceparent, environment: caller.keyEnvironment };
  return Object.assign(request, { caller });
}
