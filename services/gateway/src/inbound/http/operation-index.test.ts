import { describe, expect, it } from 'vitest';
import { operations } from '../../contract/operations.ts';
import { indexOperations } from './operation-index.ts';
import { splitTarget } from './server.ts';

const index = indexOperations(operations);

describe('finding an operation', () => {
  it.each(operations)('leads $method $path to $id', ({ id, method, path }) => {
    expect(index.find(method, path.replaceAll(/\{(\w+)\}/g, 'x.example'))?.operation.id).toBe(id);
  });

  it('knows no other method, trailing slash, empty segment or case', () => {
    const misses = [
      'DELETE /v1',
      'PUT /v1/account',
      'GET /v1/',
      'GET /V1/account',
      'GET /v1//account',
      'GET /v1/stores/',
      'GET /v1/stores',
      'OPTIONS /v1/health',
      'GET /v1/account/',
      'GET ',
      // A path of fixed segments is not a domain for the methods that it has not.
      'GET /v1/stores/enrich',
    ];
    for (const miss of misses) {
      const [method = '', path = ''] = miss.split(' ');
      expect(index.find(method, path), miss).toBeUndefined();
    }
  });

  it('leads HEAD to the operation of GET, and nowhere where there is no GET', () => {
    for (const { id, method, path } of operations) {
      const sent = path.replaceAll(/\{(\w+)\}/g, 'x.example');
      const isGet = operations.some((other) => other.method === 'GET' && other.path === path);
      if (method === 'GET') expect(index.find('HEAD', sent)?.operation.id).toBe(id);
      else if (!isGet) expect(index.find('HEAD', sent), path).toBeUndefined();
    }
  });

  it('tells the methods of a path', () => {
    expect(index.methodsOf('/v1/account')).toEqual(['GET', 'HEAD']);
    expect(index.methodsOf('/v1/lists')).toEqual(['GET', 'HEAD', 'POST']);
    expect(index.methodsOf('/v1/stores/enrich')).toEqual(['POST']);
    expect(index.methodsOf('/v1/nowhere')).toEqual([]);
  });

  it('keeps parameters as they were sent', () => {
    expect(index.find('GET', '/v1/stores/https%3A%2F%2Fshop.example%2F')?.params).toEqual({
      domain: 'https%3A%2F%2Fshop.example%2F',
    });
    expect(index.find('GET', '/v1/stores/enrich.example')?.params).toEqual({ domain: 'enrich.example' });
  });
});

it('reads every form of request target', () => {
  expect(splitTarget('/v1/technologies?q=a?b')).toEqual(['/v1/technologies', 'q=a?b']);
  expect(splitTarget('http://host:1/v1?x=1')).toEqual(['/v1', 'x=1']);
  expect(splitTarget('http://host')).toEqual(['/', '']);
  expect(splitTarget('*')).toEqual(['*', '']);
  expect(splitTarget('//host/v1')).toEqual(['//host/v1', '']);
});
