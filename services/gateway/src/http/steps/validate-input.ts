import type { RequestHandler } from 'express';
import { noBody, noQuery } from '../../endpoints/served.ts';
import { jsonBodyOf, parsePathParams, parseQuery, validate } from '../input/validation.ts';

/** Validates path parameters, query and body with the schemas of the operation. Unknown members are refused. */
export const validateInput: RequestHandler = (request, _response, next) => {
  const { exchange } = request;
  const { operation } = exchange;
  if (!operation) return next();
  const { input } = exchange;
  if (operation.params) {
    input.params = validate(operation.params, parsePathParams(exchange.pathParams), 'path') as Record<string, string>;
  }
  if (operation.query || exchange.query !== '') {
    input.query = validate(operation.query ?? noQuery, parseQuery(exchange.query), 'query');
  }
  const isSent = operation.method === 'POST' && exchange.body !== undefined && exchange.body.length > 0;
  if (operation.body || isSent) {
    input.body = validate(operation.body ?? noBody, jsonBodyOf(request), 'body');
  }
  next();
};
