import type { Openapi } from './openapi.ts';
import type { Family, Operation } from './reference.ts';
import { sampleRequestOf, sampleValueOf, takesIdempotencyKey } from './request-samples.ts';

/**
 * The served operations as a Postman collection (format 2.1), which Bruno and Insomnia import too. The key is an empty variable of the
 * collection.
 */
export function postmanCollectionOf(document: Openapi, families: readonly Family[], apiUrl: string) {
  const item = families.flatMap(({ name, description, operations }) => {
    const served = operations.filter(({ isServed }) => isServed);
    return served.length === 0 ? [] : [{ name, description, item: served.map(requestOf) }];
  });
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: apiUrl, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item,
  };
}

function requestOf(operation: Operation) {
  const { method, path, summary, description, billing, parameters, needsKey } = operation;
  const { body } = sampleRequestOf(operation);
  const segments = path.split('/').filter((part) => part !== '');
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, description: words }) => ({ key: name, value: '', description: words, disabled: true }));
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => ({ key: parameter.name, value: sampleValueOf(parameter), description: parameter.description }));
  const headers = [
    ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(takesIdempotencyKey(operation) ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ];
  const pathOf = segments.map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  return {
    name: summary,
    request: {
      ...(needsKey ? {} : { auth: { type: 'noauth' } }),
      method,
      header: headers,
      url: { raw: `{{baseUrl}}/${pathOf.join('/')}`, host: ['{{baseUrl}}'], path: pathOf, query, variable },
      description: `${description || summary}\n\nBilling: ${billing}`,
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  };
}
