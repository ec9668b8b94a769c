import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';
import { describeMissingRoute } from '../describe-missing-route.ts';
import type { OperationIndex } from '../operation-index.ts';

/** 404 for operations that the contract does not have, 501 for operations that are announced and not served. */
export function requireServedOperation(index: OperationIndex): RequestHandler {
  return (request, _response, next) => {
    const { operation, path } = request.exchange;
    if (!operation) throw new AppError('not_found', describeMissingRoute(index, request.method, path));
    if (!operation.served) {
      throw new AppError('not_implemented', 'This operation is not served yet; GET /v1 lists those that are.');
    }
    next();
  };
}
