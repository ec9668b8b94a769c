import { AppError } from '@shopscope/errors';
import type { RequestHandler } from 'express';

/** 404 for what the contract does not have, 501 for what it has and this build does not serve. */
export const requireServedOperation: RequestHandler = (request, _response, next) => {
  const { operation } = request.exchange;
  if (!operation) throw new AppError('not_found', 'There is no such method and path; see GET /v1.');
  if (!operation.served) {
    throw new AppError('not_implemented', 'This operation is not served yet; GET /v1 lists those that are.');
  }
  next();
};
