import type { AppError } from '@shopscope/errors';
import { mayHaveBody } from '../../contract/operation.ts';
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

/** The decision about a body, made before it is read. */
export interface Screening {
  /** The share of memory for the body. If it is undefined, the body is counted and dropped. */
  share: BodyShare | undefined;
  /** The reason why the key was not accepted. */
  refusal: unknown;
  /** The reason why the body is dropped although the key was accepted. */
  overload: AppError | undefined;
  /** The duration of the key look-up, in ms. */
  durationMs: number;
}

const notScreened: Screening = { share: undefined, refusal: undefined, overload: undefined, durationMs: 0 };

/**
 * Decides whether the bytes of a body are kept, before the body is read. They are kept only for operations that read a body, and for
 * callers whose key was accepted and whose rate is not known to be spent. Other bodies are counted and dropped, to occupy no memory.
 *
 * - A malformed key fails its checksum in this step, without I/O.
 * - An unknown key is looked up in this step, while the bytes wait in the connection. Its refusal is sent after the body, because a
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
  // The caller has disconnected. No later event would close the share.
  if (response.closed) return screening;
  if (options.admission.spentSeconds(caller) > requestTimeoutMs / 1_000) {
    return { ...screening, overload: rateLimited(caller, 1) };
  }
  const share = options.bodyBudget.open(caller.workspaceId);
  response.once('close', share.close);
  return { ...screening, share };
}

/** Every POST and PATCH reads a body: an operation without body parameters refuses the parameters that a caller sends by mistake. */
const readsBody = ({ operation }: ReceivedRequest) => operation?.served === true && mayHaveBody(operation);
