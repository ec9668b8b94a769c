import { newApiKey } from '@shopscope/ids';
import { describe, expect, it } from 'vitest';
import { loggedPath, loggedQuery } from './logged-path.ts';

const store = { path: '/v1/stores/{domain}' };
const technologies = { path: '/v1/technologies', query: { shape: { q: {}, kind: {}, limit: {} } } };
const pathOf = (path: string, operation: { path: string } | undefined, pathParams = {}) =>
  loggedPath({ path, search: '', pathParams, operation });
const storePath = (domain: string) => pathOf(`/v1/stores/${domain}`, store, { domain });
const queryOf = (query: string, operation: typeof technologies | undefined = technologies) =>
  loggedQuery({ path: '', search: query, pathParams: {}, operation });

describe('logged paths', () => {
  it('a logged path is as sent when it has plain characters only', () => {
    expect(storePath('Shop.Example')).toBe('/v1/stores/Shop.Example');
    expect(storePath('localhost')).toBe('/v1/stores/localhost');
    expect(pathOf('/v1/nothing', undefined)).toBe('/v1/nothing');
  });

  it('a logged path has the registrable domain in place of a URL, so a password or token in the URL is not stored', () => {
    const url = encodeURIComponent('https://user:hunter2@www.shop.example/path?token=hunter2');
    expect(storePath(url)).toBe('/v1/stores/shop.example');
  });

  it('a logged path has the placeholder in place of another parameter with further characters', () => {
    expect(storePath('not%20a%20domain:hunter2')).toBe('/v1/stores/{domain}');
    expect(storePath('%E0%A4%A')).toBe('/v1/stores/{domain}');
    expect(storePath(`${'a'.repeat(400)}`)).toBe('/v1/stores/{domain}');
  });

  it('a logged path ends before its first further character when there is no such operation', () => {
    expect(pathOf('/v1/stores/https://user:hunter2@shop.example', undefined)).toBe('/v1/stores/https…');
    expect(pathOf(`/v1/${'a'.repeat(5_000)}`, undefined)).toHaveLength(301);
  });

  it('a logged path has no API key', () => {
    const key = newApiKey('live');
    for (const path of [storePath(key), pathOf(`/v1/${key}`, undefined), pathOf(`/v1/${key}/:`, undefined)])
      expect(path.replace(key.slice(0, 13), '')).not.toContain('svc_live_');
    expect(storePath(key)).toBe(`/v1/stores/${key.slice(0, 13)}…`);
  });
});

describe('logged queries', () => {
  it('a logged query is as sent when the operation knows its parameters', () => {
    expect(queryOf('q=shop%20ify&limit=10')).toBe('q=shop%20ify&limit=10');
    expect(queryOf('')).toBe('');
  });

  it('a logged query has no value of an unknown parameter, and no parameter that may be a value', () => {
    expect(queryOf('eyJhbGciOiJIUzI1NiJ9')).toBe('HIDDEN');
    expect(queryOf(`${'a'.repeat(41)}=1`)).toBe('HIDDEN');
    expect(queryOf('access_token=hunter2&q=a&hunter2%20=1&toString=2')).toBe(
      'access_token=HIDDEN&q=a&HIDDEN&toString=HIDDEN',
    );
    expect(queryOf('q=hunter2', { path: '/v1/stores/{domain}' } as never)).toBe('q=HIDDEN');
  });

  it('a logged query is bounded, and has no part of a value that was cut', () => {
    expect(queryOf(`limit=1&q=${'a'.repeat(5_000)}`)).toBe('limit=1&q=HIDDEN');
    for (const pair of ['&', 'a=&', '=&', 'q=1&', '%&'])
      expect(queryOf(pair.repeat(2_000)).length).toBeLessThanOrEqual(300);
  });

  it('a logged query has no API key', () => {
    expect(queryOf(`q=${newApiKey('live')}`)).toMatch(/^q=svc_live_.{4}…$/);
  });
});
