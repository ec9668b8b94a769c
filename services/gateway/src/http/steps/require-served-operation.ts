import { AppError } from '@shopscope/errors';
import { describeMissingRoute } from '../describe-missing-route.ts';
import type { OperationIndex } from '../operation-index.ts';
import { isServed, type ReceivedRequest, type ServedOperation } from '../request.ts';

/** 404 for operations that the contract does not have, 501 for operations that are announced and not served. */
export function requireServedOperation<Received extends ReceivedRequest>(
  index: OperationIndex,
  request: Received,
): Received & { operation: ServedOperation } {
  const { operation, method, path } = request;
  if (!operation) throw new AppError('not_found', describeMissingRoute(index, method, path));
  if (!isServed(operation)) {
    throw new AppError('not_implemented', 'This operation is not served yet; GET /v1 lists those that are.');
  }
  return request as Received & { operation: ServedOperation };
}
