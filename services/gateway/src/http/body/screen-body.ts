import type { Request, RequestHandler } from 'express';
import type { AuthenticateKey } from '../../keys/authenticate-key.ts';
import { readBearerToken } from '../../keys/bearer-token.ts';
import type { Caller } from '../../keys/caller.ts';
import type { Admission } from '../../limits/admission.ts';
import type { Exchange } from '../exchange.ts';
import { announcesBody } from '../header-lines.ts';
import { rateLimited } from '../steps/admit.ts';
import { requestTimeoutMs } from '../timeouts.ts';
import type { BodyBudget } from './body-budget.ts';

interface ScreenBodyOptions {
  admission: Pick<Admission, 'spentSeconds'>;
  authenticateKey: Pick<AuthenticateKey, 'authenticate'>;
  bodyBudget: BodyBudget;
}

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
export function screenBody(options: ScreenBodyOptions): RequestHandler {
  return (request, response, next) => {
    const { exchange } = request;
    if (!announcesBody(request) || !readsBody(exchange)) return next();
    const startMs = exchange.deadline.elapsedMs;
    return acceptedCaller(options, request).then((caller) => {
      exchange.screeningMs = exchange.deadline.elapsedMs - startMs;
      // The caller has disconnected: no event is left that would end the reading.
      if (response.closed) return;
      if (caller && options.admission.spentSeconds(caller) > requestTimeoutMs / 1_000) {
        exchange.overload = rateLimited(caller, 1);
      } else if (caller) {
        const share = options.bodyBudget.open(caller.workspaceId);
        exchange.bodyShare = share;
        response.once('close', share.close);
      }
      next();
    });
  };
}

/** Every POST: one without parameters in its body refuses those that a caller believes it to have. */
const readsBody = ({ operation }: Exchange) => operation?.served === true && operation.method === 'POST';

async function acceptedCaller({ authenticateKey }: ScreenBodyOptions, request: Request): Promise<Caller | undefined> {
  const { exchange } = request;
  try {
    const token = readBearerToken(request);
    return await authenticateKey.authenticate(token, exchange);
  } catch (refusal) {
    exchange.refusal = refusal;
    return undefined;
  }
}
