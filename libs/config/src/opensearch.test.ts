import { describe, expect, it } from 'vitest';
import {
  type ConfigError,
  openSearchOptions,
  openSearchRules,
  openSearchSettings,
  readConfig,
  serviceSettings,
  z,
} from './index.ts';

const schema = z.object({ ...serviceSettings, ...openSearchSettings });
const read = (env: Record<string, string>) =>
  readConfig(schema, { ADMIN_PORT: '0', SHOPSCOPE_ENV: 'development', ...env }, [openSearchRules]);
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}
const namesOf = (env: Record<string, string>) => problemsOf(env).map((problem) => problem.split(':')[0]);
const optionsOf = (env: Record<string, string>) => openSearchOptions(read(env));

describe('OPENSEARCH_URL', () => {
  it('OPENSEARCH_URL names one or several nodes, and https enables TLS', () => {
    expect(optionsOf({ OPENSEARCH_URL: 'http://127.0.0.1:9200/' })).toEqual({
      nodes: ['http://127.0.0.1:9200'],
      indexPrefix: 'shopscope-',
    });
    expect(optionsOf({ OPENSEARCH_URL: 'HTTPS://a:9200,b,[::1]:9201', OPENSEARCH_INDEX_PREFIX: 'acme-' })).toEqual({
      nodes: ['https://a:9200', 'https://b', 'https://[::1]:9201'],
      indexPrefix: 'acme-',
      tls: {},
    });
  });

  it('the user and the password of OpenSearch are in the URL or in settings of their own', () => {
    const credentials = { username: 'search', password: 'p@s:s' };
    const { nodes, ...inUrl } = optionsOf({ OPENSEARCH_URL: 'https://search:p%40s:s@a:9200,b:9200' });
    expect(nodes).toEqual(['https://a:9200', 'https://b:9200']);
    expect(inUrl).toMatchObject({ credentials });
    const settings = { OPENSEARCH_USERNAME: 'search', OPENSEARCH_PASSWORD: 'p@s:s' };
    expect(optionsOf({ OPENSEARCH_URL: 'https://a', ...settings })).toMatchObject({ credentials });
    expect(namesOf({ OPENSEARCH_URL: 'https://search:pw@a', ...settings })).toEqual(['OPENSEARCH_USERNAME']);
    expect(namesOf({ OPENSEARCH_URL: 'https://a', OPENSEARCH_USERNAME: 'search' })).toEqual(['OPENSEARCH_PASSWORD']);
    expect(namesOf({ OPENSEARCH_URL: 'https://a', OPENSEARCH_PASSWORD: 'pw' })).toEqual(['OPENSEARCH_USERNAME']);
  });

  it.each([
    ['http://', ['must have hosts']],
    ['http://a,,b:70000/path', ['must not have a path or parameters', 'must have hosts']],
    ['https://a?pretty', ['must not have a path or parameters']],
    ['https://us%zz:pw@a:0', ['must have hosts', 'must have its user and password in percent-encoding']],
    ['https://search@a', ['must have a user and a password, or none']],
    ['opensearch://a', ['must be a URL that starts with http:// or https://']],
  ])('all faults of OPENSEARCH_URL %s are reported at once with the name of the setting', (url, expected) => {
    const problems = problemsOf({ OPENSEARCH_URL: url });
    expect(problems).toHaveLength(1);
    const parts = problems[0]?.replace('OPENSEARCH_URL: ', '').split('; ') ?? [];
    expect(parts.map((part, n) => part.slice(0, expected[n]?.length))).toEqual(expected);
  });

  it('production requires TLS and a user or a client certificate, unless all nodes are local or INSECURE_CONNECTIONS names opensearch', () => {
    const production = { SHOPSCOPE_ENV: 'production' };
    const remote = { ...production, OPENSEARCH_URL: 'http://127.0.0.1:9200,b:9200' };
    expect(namesOf(remote)).toEqual(['OPENSEARCH_URL', 'OPENSEARCH_USERNAME']);
    expect(namesOf({ ...remote, INSECURE_CONNECTIONS: 'opensearch' })).toEqual([]);
    expect(namesOf({ ...production, OPENSEARCH_URL: 'http://127.0.0.1:9200,[::1]:9200' })).toEqual([]);
    expect(namesOf({ ...production, OPENSEARCH_URL: 'https://search:pw@b' })).toEqual([]);
  });

  it('certificates of OpenSearch are refused without TLS, and a prefix of indexes is in lower case', () => {
    const url = { OPENSEARCH_URL: 'http://a' };
    expect(new Set(namesOf({ ...url, OPENSEARCH_TLS_CA: 'any' }))).toEqual(new Set(['OPENSEARCH_TLS_CA']));
    expect(namesOf({ ...url, OPENSEARCH_INDEX_PREFIX: 'Shop-' })).toEqual(['OPENSEARCH_INDEX_PREFIX']);
    expect(namesOf({ ...url, OPENSEARCH_INDEX_PREFIX: '-shop' })).toEqual(['OPENSEARCH_INDEX_PREFIX']);
  });
});
