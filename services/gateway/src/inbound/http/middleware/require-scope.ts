import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import type { Scope } from '../../../contract/account.ts';
import { parseJsonBody } from '../validation.ts';

/** The operation's scope, and write:scans when an enrich asks for scans, whatever else its body holds. */
export const requireScope: RequestHandler = (request, _response, next) => {
  const { operation, caller, body } = request.exchange;
  if (!operation || !caller) return next();
  const held = (scope: Scope) => caller.scopes.includes(scope);
  const lacking = [
    operation.scope,
    operation.id === 'enrichStores' && asksForScans(body, request.headers['content-type']),
  ]
    .filter((scope) => typeof scope === 'string')
    .find((scope) => !held(scope));
  if (lacking) throw new AppError('forbidden_scope', `This operation needs the scope ${lacking}.`);
  next();
};

function asksForScans(body: Buffer | undefined, contentType: string | undefined): Scope | undefined {
  try {
    const parsed = parseJsonBody(body, contentType) as { refresh?: unknown } | null;
    return parsed?.refresh === true ? 'write:scans' : undefined;
  } catch {
    // What cannot be read is for validation to refuse.
    return undefined;
  }
}
