import { AppError } from '@shopscope/errors';
import type { Request, RequestHandler } from 'express';
import type { Scope } from '../../endpoints/account/contract.ts';
import { jsonBodyOf } from '../input/validation.ts';

/** Requires the scope of the operation. Enrich with refresh also requires write:scans, even if its body is invalid. */
export const requireScope: RequestHandler = (request, _response, next) => {
  const { operation, caller } = request.exchange;
  if (!operation || !caller) return next();
  const lacks = (scope: Scope) => !caller.scopes.includes(scope);
  if (operation.scope && lacks(operation.scope)) {
    throw new AppError('forbidden_scope', `This operation needs the scope ${operation.scope}.`);
  }
  if (operation.id === 'enrichStores' && lacks('write:scans') && requestsScans(request)) {
    throw new AppError('forbidden_scope', 'refresh: true needs the scope write:scans, which this key does not have.');
  }
  next();
};

function requestsScans(request: Request): boolean {
  try {
    const body = jsonBodyOf(request) as { refresh?: unknown } | null;
    return body?.refresh === true;
  } catch {
    // validate-input refuses a body that cannot be parsed.
    return false;
  }
}
