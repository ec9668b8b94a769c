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
    ];
    for (const miss of misses) {
      const [method = '', path = ''] = miss.split(' ');
      expect(index.find(method, path), miss).toBeUndefined();
    }
  });

  it('answers HEAD on public operations only', () => {
    expect(index.find('HEAD', '/v1/health')?.operation.id).toBe('getHealth');
    expect(index.find('HEAD', '/v1/account')).toBeUndefined();
  });

  it('keeps parameters as they were sent', () => {
    expect(index.find('GET', '/v1/stores/https%3A%2F%2Fshop.example%2F')?.params).toEqual({
      domain: 'https%3A%2F%2Fshop.example%2F',
    });
    expect(index.find('GET', '/v1/stores/enrich')?.operation.id).toBe('getStore');
  });
});

it('reads every form of request target', () => {
  expect(splitTarget('/v1/technologies?q=a?b')).toEqual(['/v1/technologies', 'q=a?b']);
  expect(splitTarget('http://host:1/v1?x=1')).toEqual(['/v1', 'x=1']);
  expect(splitTarget('http://host')).toEqual(['/', '']);
  expect(splitTarget('*')).toEqual(['*', '']);
  expect(splitTarget('//host/v1')).toEqual(['//host/v1', '']);
});
