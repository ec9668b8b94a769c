import type { RequestHandler } from 'express';
import { noQuery } from '../../../contract/served.ts';
import { jsonBodyOf, parsePathParams, parseQuery, parseWith } from '../validation.ts';

/** Validates path parameters, query and body with the schemas of the operation. Unknown members are refused. */
export const validateInput: RequestHandler = (request, _response, next) => {
  const { exchange } = request;
  const { operation } = exchange;
  if (!operation) return next();
  const { input } = exchange;
  if (operation.params) {
    input.params = parseWith(operation.params, parsePathParams(exchange.pathParams), 'path') as Record<string, string>;
  }
  if (operation.query || exchange.query !== '') {
    input.query = parseWith(operation.query ?? noQuery, parseQuery(exchange.query), 'query');
  }
  if (operation.body) {
    input.body = parseWith(operation.body, jsonBodyOf(request), 'body');
  }
  next();
};
