import type { AppError } from '@shopscope/errors';
import type { AuthenticateKey } from '../../keys/authenticate-key.ts';
import { readBearerToken } from '../../keys/bearer-token.ts';
import type { Caller } from '../../keys/caller.ts';
import type { Admission } from '../../limits/admission.ts';
import { announcesBody } from '../header-lines.ts';
import type { ReceivedRequest } from '../request.ts';
import { rateLimited } from '../steps/admit.ts';
import { requestTimeoutMs } from '../timeouts.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';

interface ScreenBodyOptions {
  admission: Pick<Admission, 'spentSeconds'>;
  authenticateKey: Pick<AuthenticateKey, 'authenticate'>;
  bodyBudget: BodyBudget;
}

/** What was decided about a body before it is read. */
export interface Screening {
  /** The memory for the body. Undefined: the body is counted and dropped. */
  share: BodyShare | undefined;
  /** Why the key was not accepted. */
  refusal: unknown;
  /** Why the body is dropped although the key was accepted. */
  overload: AppError | undefined;
  /** Duration of the look-up of the key, in ms. */
  durationMs: number;
}

const notScreened: Screening = { share: undefined, refusal: undefined, overload: undefined, durationMs: 0 };

/**
 * Decides before the body is read whether its bytes are kept: only those of callers whose key was accepted and is not known to
 * be spent, for operations that read one. Other bodies are counted and dropped, so that they occupy no memory.
 *
 * - A malformed key fails its checksum here, without I/O.
 * - An unknown key is looked up here, while the bytes wait in the connection. Its refusal is sent after the body, because a
 *   body above the bound has precedence.
 * - The rate of the key is spent for longer than a body may take to arrive -> `admit` refuses the request, whatever happens meanwhile.
 * - The key is authenticated again after the body, because it may be revoked meanwhile.
 */
export async function screenBody(options: ScreenBodyOptions, request: ReceivedRequest): Promise<Screening> {
  const { message, response, deadline } = request;
  if (!announcesBody(message) || !readsBody(request)) return notScreened;
  const startMs = deadline.elapsedMs;
  let caller: Caller;
  try {
    caller = await options.authenticateKey.authenticate(readBearerToken(message), request);
  } catch (refusal) {
    return { ...notScreened, refusal, durationMs: deadline.elapsedMs - startMs };
  }
  const screening = { ...notScreened, durationMs: deadline.elapsedMs - startMs };
  // The caller has disconnected: no event is left that would close the share.
  if (response.closed) return screening;
  if (options.admission.spentSeconds(caller) > requestTimeoutMs / 1_000) {
    return { ...screening, overload: rateLimited(caller, 1) };
  }
  const share = options.bodyBudget.open(caller.workspaceId);
  response.once('close', share.close);
  return { ...screening, share };
}

/** Every POST: one without parameters in its body refuses those that a caller believes it to have. */
const readsBody = ({ operation }: ReceivedRequest) => operation?.served === true && operation.method === 'POST';
