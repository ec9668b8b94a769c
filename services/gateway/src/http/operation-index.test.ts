import { describe, expect, it } from 'vitest';
import { operations } from '../endpoints/endpoints.ts';
import { indexOperations } from './operation-index.ts';
import { splitRequestTarget } from './receive-request.ts';

const index = indexOperations(operations);

describe('indexOperations', () => {
  it.each(operations)('the operation index finds $id for $method $path', ({ id, method, path }) => {
    expect(index.find(method, path.replaceAll(/\{(\w+)\}/g, 'x.example'))?.operation.id).toBe(id);
  });

  it('the operation index finds nothing for another method, a trailing slash, an empty segment or another case', () => {
    const misses = [
      'DELETE /v1',
      'PUT /v1/account',
      'GET /v1/',
      'GET /V1/account',
      'GET /v1//account',
      'GET /v1/stores/',
      'POST /v1/stores',
      'OPTIONS /v1/health',
      'GET /v1/account/',
      'GET ',
      // The fixed path has no GET. It does not match {domain} instead.
      'GET /v1/stores/enrich',
    ];
    for (const miss of misses) {
      const [method = '', path = ''] = miss.split(' ');
      expect(index.find(method, path), miss).toBeUndefined();
    }
  });

  it('the operation index finds the operation of GET for HEAD, and nothing when the path has no GET', () => {
    for (const { id, method, path } of operations) {
      const sent = path.replaceAll(/\{(\w+)\}/g, 'x.example');
      const isGet = operations.some((other) => other.method === 'GET' && other.path === path);
      if (method === 'GET') expect(index.find('HEAD', sent)?.operation.id).toBe(id);
      else if (!isGet) expect(index.find('HEAD', sent), path).toBeUndefined();
    }
  });

  it('the operation index returns the methods of a path', () => {
    expect(index.methodsOf('/v1/account')).toEqual(['GET', 'HEAD']);
    expect(index.methodsOf('/v1/lists')).toEqual(['GET', 'HEAD', 'POST']);
    expect(index.methodsOf('/v1/stores/enrich')).toEqual(['POST']);
    expect(index.methodsOf('/v1/nowhere')).toEqual([]);
  });

  it('the operation index returns path parameters as they were sent', () => {
    expect(index.find('GET', '/v1/stores/https%3A%2F%2Fshop.example%2F')?.params).toEqual({
      domain: 'https%3A%2F%2Fshop.example%2F',
    });
    expect(index.find('GET', '/v1/stores/enrich.example')?.params).toEqual({ domain: 'enrich.example' });
  });
});

it('every form of request target is split into path and query', () => {
  expect(splitRequestTarget('/v1/technologies?q=a?b')).toEqual(['/v1/technologies', 'q=a?b']);
  expect(splitRequestTarget('http://host:1/v1?x=1')).toEqual(['/v1', 'x=1']);
  expect(splitRequestTarget('http://host')).toEqual(['/', '']);
  expect(splitRequestTarget('*')).toEqual(['*', '']);
  expect(splitRequestTarget('//host/v1')).toEqual(['//host/v1', '']);
});
