import { describe, expect, it } from 'vitest';
import {
  type ConfigError,
  readConfig,
  redisOptions,
  redisRules,
  redisSettings,
  secondRedisOptions,
  secondRedisRules,
  secondRedisSettings,
  serviceSettings,
  z,
} from './index.ts';

const second = 'IDEMPOTENCY_REDIS';
const schema = z.object({ ...serviceSettings, ...redisSettings, ...secondRedisSettings(second) });
const read = (env: Record<string, string>) =>
  readConfig(schema, { ADMIN_PORT: '0', SHOPSCOPE_ENV: 'development', ...env }, [redisRules, secondRedisRules(second)]);
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}
const optionsOf = (REDIS_URL: string, more: Record<string, string> = {}) => redisOptions(read({ REDIS_URL, ...more }));

describe('REDIS_URL', () => {
  it('REDIS_URL names Sentinels and their primary, with the default port and the credentials of the servers', () => {
    expect(optionsOf('redis+sentinel://gateway:p%40ss@a:26380,b,[::1]/shop.main')).toEqual({
      keyPrefix: 'shopscope:',
      credentials: { username: 'gateway', password: 'p@ss' },
      sentinels: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
        { host: '::1', port: 26_379 },
      ],
      primaryName: 'shop.main',
    });
  });

  it('REDIS_URL names nodes of a cluster, and rediss enables TLS for every form', () => {
    const cluster = [
      { host: 'a', port: 6_379 },
      { host: 'b', port: 7_000 },
    ];
    expect(optionsOf('redis+cluster://a,b:7000')).toEqual({ keyPrefix: 'shopscope:', cluster });
    const password = { REDIS_PASSWORD: 'pw' };
    expect(optionsOf('rediss+cluster://a,b:7000/', password)).toMatchObject({
      cluster,
      tls: {},
      credentials: { password: 'pw' },
    });
    expect(optionsOf('rediss+sentinel://a/shop')).toMatchObject({ tls: {}, primaryName: 'shop' });
  });

  it('Sentinels have their own user and password', () => {
    const settings = { REDIS_SENTINEL_USERNAME: 'watcher', REDIS_SENTINEL_PASSWORD: 'pw' };
    expect(optionsOf('redis+sentinel://a/shop', settings)).toMatchObject({
      sentinelCredentials: { username: 'watcher', password: 'pw' },
    });
    expect(problemsOf({ REDIS_URL: 'redis+sentinel://a/shop', REDIS_SENTINEL_USERNAME: 'watcher' })).toEqual([
      'REDIS_SENTINEL_PASSWORD: is required with REDIS_SENTINEL_USERNAME',
    ]);
    expect(problemsOf({ REDIS_URL: 'redis://a', REDIS_SENTINEL_PASSWORD: 'pw' })).toEqual([
      'REDIS_SENTINEL_PASSWORD: has no effect unless REDIS_URL names Sentinels',
    ]);
  });

  it.each([
    ['redis+sentinel://a,b', ['must end with the name of the primary']],
    ['redis+sentinel://a,,b:x/', ['must end with the name of the primary', 'must have hosts']],
    ['redis+sentinel://a/shop?db=1', ['must not have parameters']],
    ['redis+sentinel://a/?db=1', ['must not have parameters', 'must end with the name of the primary']],
    ['redis+cluster://a/1', ['must not have a path']],
    [
      'redis+cluster://u@a:70000/1?x',
      ['must not have parameters', 'must not have a path', 'must have hosts', 'names a user without a password'],
    ],
    ['redis+cluster://[1]', ['must have hosts']],
    ['redis://a/main', ['must end with the host or with the number of a database']],
    ['redis://a/1/2', ['must end with the host or with the number of a database']],
    ['redis://a/1?keyPrefix=x', ['must not have parameters']],
    ['redis+cluster://', ['must have hosts']],
    ['redis+cluster://a:70000', ['must have hosts']],
    ['redis://a,b', ['must name one host']],
    ['redis://user:%zz@a', ['must have its user and password in percent-encoding']],
    ['redis+proxy://a', ['must be a URL that starts with redis://']],
  ])('all faults of REDIS_URL %s are reported at once with the name of the setting', (url, expected) => {
    const problems = problemsOf({ REDIS_URL: url });
    expect(problems).toHaveLength(1);
    const parts = problems[0]?.replace('REDIS_URL: ', '').split('; ') ?? [];
    expect(parts.map((part, n) => part.slice(0, expected[n]?.length))).toEqual(expected);
  });

  it('production requires TLS and a password for Sentinels and clusters, because local ones can name other machines', () => {
    const production = { SHOPSCOPE_ENV: 'production' };
    const local = ['redis+sentinel://127.0.0.1/shop', 'redis+cluster://127.0.0.1:1,[::1]:2'];
    for (const url of [...local, 'redis+sentinel://127.0.0.1,b/shop', 'redis+cluster://b']) {
      const problems = problemsOf({ ...production, REDIS_URL: url });
      expect(problems.map((problem) => problem.split(':')[0])).toEqual(['REDIS_URL', 'REDIS_PASSWORD']);
    }
    const withWrongPort = problemsOf({ ...production, REDIS_URL: 'redis+cluster://b:70000' });
    expect(withWrongPort.map((problem) => problem.split(':')[0])).toEqual(['REDIS_URL', 'REDIS_PASSWORD']);
    expect(withWrongPort[0]).toMatch(/must have hosts.*; must start with rediss/);
    expect(problemsOf({ ...production, REDIS_URL: 'redis+cluster://b', INSECURE_CONNECTIONS: 'redis' })).toEqual([]);
    expect(problemsOf({ ...production, REDIS_URL: 'redis://127.0.0.1:1' })).toEqual([]);
    expect(problemsOf({ ...production, REDIS_URL: 'rediss+sentinel://gateway:pw@a,b/shop' })).toEqual([]);
  });

  it('a prefix of keys has no braces, which would be a hash tag for all keys', () => {
    expect(problemsOf({ REDIS_URL: 'redis://a', REDIS_KEY_PREFIX: '{shop}:' })).toEqual([
      'REDIS_KEY_PREFIX: must not contain braces',
    ]);
  });
});

it('the URL of a second Redis has the same forms and the same rules', () => {
  const first = { REDIS_URL: 'redis://a' };
  const config = read({
    ...first,
    IDEMPOTENCY_REDIS_URL: 'redis+sentinel://b/shop',
    IDEMPOTENCY_REDIS_SENTINEL_PASSWORD: 'pw',
  });
  expect(secondRedisOptions(config, second)).toMatchObject({
    primaryName: 'shop',
    sentinelCredentials: { password: 'pw' },
  });
  expect(problemsOf({ ...first, IDEMPOTENCY_REDIS_URL: 'redis+sentinel://b' })[0]).toContain(
    'IDEMPOTENCY_REDIS_URL: must end',
  );
});
