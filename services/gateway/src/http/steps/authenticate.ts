import type { AuthenticateKey } from '../../keys/authenticate-key.ts';
import { readBearerToken } from '../../keys/bearer-token.ts';
import type { AuthenticatedRequest, ReadRequest } from '../request.ts';

/** Authenticates the key of a request. Throws the refusal of the screening, if there was one. */
export async function authenticate(
  { authenticateKey }: { authenticateKey: Pick<AuthenticateKey, 'authenticate'> },
  request: ReadRequest,
): Promise<AuthenticatedRequest> {
  if (request.refusal !== undefined) throw request.refusal;
  const caller = await authenticateKey.authenticate(readBearerToken(request.message), request);
  return Object.assign(request, { caller });
}
