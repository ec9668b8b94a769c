import type { Request, RequestHandler } from 'express';
import type { AuthenticateKey } from '../../../operations/authenticate-key.ts';
import { readBearerToken } from '../bearer-token.ts';
import type { BodyBudget } from '../body-budget.ts';
import type { Exchange } from '../exchange.ts';
import { announcesBody } from '../header-lines.ts';

interface ScreenBodyOptions {
  authenticateKey: Pick<AuthenticateKey, 'authenticate'>;
  bodyBudget: BodyBudget;
}

/**
 * Decides before the body is read whether its bytes are kept: only those of callers whose key was accepted, for operations
 * that have a body. Other bodies are counted and dropped, so that nobody without a key occupies memory.
 *
 * - A malformed key fails its checksum here, without I/O.
 * - An unknown key is looked up here, while the bytes wait in the connection. Its refusal is sent after the body, because a
 *   body above the bound has precedence.
 * - The key is authenticated again after the body, because it may be revoked meanwhile.
 */
export function screenBody(options: ScreenBodyOptions): RequestHandler {
  return (request, response, next) => {
    const { exchange } = request;
    if (!announcesBody(request) || !readsBody(exchange)) return next();
    const startMs = exchange.deadline.elapsedMs;
    return acceptedWorkspace(options, request).then((workspaceId) => {
      exchange.screeningMs = exchange.deadline.elapsedMs - startMs;
      // The caller has disconnected: no event is left that would end the reading.
      if (response.closed) return;
      if (workspaceId !== undefined) {
        const share = options.bodyBudget.open(workspaceId);
        exchange.bodyShare = share;
        response.once('close', share.close);
      }
      next();
    });
  };
}

const readsBody = ({ operation }: Exchange) => operation?.served === true && operation.body !== undefined;

async function acceptedWorkspace(
  { authenticateKey }: ScreenBodyOptions,
  request: Request,
): Promise<string | undefined> {
  const { exchange } = request;
  try {
    const token = readBearerToken(request);
    const caller = await authenticateKey.authenticate(token, exchange);
    return caller.workspaceId;
  } catch (refusal) {
    exchange.refusal = refusal;
    return undefined;
  }
}
