import { describe, expect, it } from 'vitest';
import {
  type ConfigError,
  kafkaOptions,
  kafkaRules,
  kafkaSettings,
  mongoOptions,
  mongoRules,
  mongoSettings,
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

const schema = z.object({ ...serviceSettings, ...mongoSettings('keys'), ...kafkaSettings, ...redisSettings });
const rules = [mongoRules, kafkaRules, redisRules];
const read = (env: Record<string, string>) => readConfig(schema, { ADMIN_PORT: '0', ...env }, rules);

/** The variables that have problems. */
function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems.map((problem) => problem.split(':')[0] as string);
  }
}

const remote = { MONGODB_URL: 'mongodb://db:27017', KAFKA_BROKERS: 'kafka:9092', REDIS_URL: 'redis://redis:6379' };
const development = { ...remote, SHOPSCOPE_ENV: 'development' };
const secure = {
  MONGODB_URL: 'mongodb://keys:pw@a:1,b:2/?tls=true&replicaSet=rs0',
  KAFKA_BROKERS: 'kafka:9093',
  KAFKA_TLS: 'true',
  KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
  KAFKA_SASL_USERNAME: 'keys',
  KAFKA_SASL_PASSWORD: 'pw',
  REDIS_URL: 'rediss://gateway:pw@redis:6379',
};
const sasl = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'keys', KAFKA_SASL_PASSWORD: 'pw' };

describe('incomplete TLS settings or credentials', () => {
  it.each([
    ['KAFKA_SASL_MECHANISM', { ...sasl, KAFKA_SASL_MECHANISM: '' }],
    ['KAFKA_SASL_USERNAME', { ...sasl, KAFKA_SASL_USERNAME: '' }],
    ['KAFKA_SASL_PASSWORD', { ...sasl, KAFKA_SASL_PASSWORD: '' }],
    ['KAFKA_SASL_MECHANISM', { ...sasl, KAFKA_SASL_MECHANISM: 'GSSAPI' }],
    ['KAFKA_TLS_CA', { KAFKA_TLS: 'true', KAFKA_TLS_CA: 'not a certificate' }],
    ['MONGODB_PASSWORD', { MONGODB_USERNAME: 'keys' }],
    ['MONGODB_USERNAME', { MONGODB_PASSWORD: 'pw' }],
    ['MONGODB_USERNAME', { MONGODB_URL: 'mongodb://u:p@db', MONGODB_USERNAME: 'keys', MONGODB_PASSWORD: 'pw' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://keys@db' }],
    ['REDIS_PASSWORD', { REDIS_USERNAME: 'gateway' }],
    ['REDIS_PASSWORD', { REDIS_URL: 'redis://:p@redis', REDIS_PASSWORD: 'pw' }],
    ['REDIS_URL', { REDIS_URL: 'redis://gateway@redis' }],
  ])('incomplete TLS settings or credentials are refused with the name of the variable %s', (name, env) => {
    expect(problemsOf({ ...development, ...env })).toEqual([name]);
  });

  it.each(['KAFKA', 'MONGODB', 'REDIS'])(
    'incomplete TLS settings or credentials are refused for certificates of %s without TLS',
    (name) => {
      const problems = problemsOf({ ...development, [`${name}_TLS_CA`]: 'any' });
      expect(new Set(problems)).toEqual(new Set([`${name}_TLS_CA`]));
    },
  );
});

describe('production', () => {
  it('every connection to another machine needs TLS and credentials in production', () => {
    expect(problemsOf(remote)).toEqual([
      'MONGODB_URL',
      'MONGODB_USERNAME',
      'KAFKA_TLS',
      'KAFKA_SASL_MECHANISM',
      'REDIS_URL',
      'REDIS_PASSWORD',
    ]);
    expect(problemsOf(secure)).toEqual([]);
    expect(problemsOf({ ...secure, MONGODB_URL: `${secure.MONGODB_URL}&tlsInsecure=true` })).toEqual(['MONGODB_URL']);
    expect(problemsOf({ ...secure, MONGODB_URL: 'mongodb+srv://keys:pw@db' })).toEqual([]);
  });

  it('INSECURE_CONNECTIONS allows connections without TLS and credentials in production', () => {
    expect(problemsOf({ ...remote, INSECURE_CONNECTIONS: 'mongodb, kafka,redis' })).toEqual([]);
    expect(problemsOf({ ...remote, INSECURE_CONNECTIONS: 'kafka,redis' })).toEqual(['MONGODB_URL', 'MONGODB_USERNAME']);
    expect(problemsOf({ ...secure, INSECURE_CONNECTIONS: 'all' })).toEqual(['INSECURE_CONNECTIONS']);
  });

  it('a loopback connection needs no TLS and no credentials in production', () => {
    const loopback = { MONGODB_URL: 'mongodb://127.0.0.1:1,localhost', KAFKA_BROKERS: '127.0.0.1:1, localhost:2' };
    expect(problemsOf({ ...loopback, REDIS_URL: 'redis://[::1]:6379' })).toEqual([]);
    expect(problemsOf({ ...secure, KAFKA_BROKERS: '127.0.0.1:1,kafka:2', KAFKA_TLS: 'false' })).toEqual(['KAFKA_TLS']);
  });

  it('topics with fewer than three replicas are refused in production, unless every broker is on the loopback interface', () => {
    const replicas = (count: string, more: Record<string, string> = {}) =>
      problemsOf({ ...secure, KAFKA_REPLICATION_FACTOR: count, ...more });
    expect(replicas('1')).toEqual(['KAFKA_REPLICATION_FACTOR']);
    expect(replicas('2', { INSECURE_CONNECTIONS: 'kafka' })).toEqual(['KAFKA_REPLICATION_FACTOR']);
    expect(replicas('3')).toEqual([]);
    expect(replicas('1', { KAFKA_BROKERS: '127.0.0.1:1' })).toEqual([]);
    expect(replicas('1', { SHOPSCOPE_ENV: 'development' })).toEqual([]);
  });
});

it('all problems of the data plane are reported together, and none twice', () => {
  const problems = problemsOf({ KAFKA_BROKERS: 'kafka:1', KAFKA_TLS: 'yes', REDIS_URL: 'http://x' });
  expect(problems).toEqual([
    'MONGODB_URL',
    'KAFKA_TLS',
    'MONGODB_USERNAME',
    'KAFKA_SASL_MECHANISM',
    'REDIS_URL',
    'REDIS_PASSWORD',
  ]);
});

it('the options of the clients of the data plane have the values of the settings', () => {
  const config = read({ ...secure, KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512' });
  const credentials = { mechanism: 'scram-sha-512', username: 'keys', password: 'pw' };
  expect(kafkaOptions(config)).toMatchObject({ tls: {}, sasl: credentials });
  expect(redisOptions(config)).toMatchObject({ url: secure.REDIS_URL, tls: {} });
  const plain = read({ ...development, MONGODB_USERNAME: 'keys', MONGODB_PASSWORD: 'pw', REDIS_PASSWORD: 'pw' });
  expect(mongoOptions(plain).credentials).toEqual({ username: 'keys', password: 'pw' });
  expect(redisOptions(plain).credentials).toEqual({ password: 'pw' });
  expect(kafkaOptions(plain)).not.toHaveProperty('tls');
  expect(kafkaOptions(plain)).not.toHaveProperty('sasl');
});

describe('a second Redis', () => {
  const name = 'IDEMPOTENCY_REDIS';
  const settings = z.object({ ...serviceSettings, ...redisSettings, ...secondRedisSettings(name) });
  const readBoth = (env: Record<string, string>) =>
    readConfig(settings, { ADMIN_PORT: '1', REDIS_URL: secure.REDIS_URL, ...env }, [
      redisRules,
      secondRedisRules(name),
    ]);
  const problems = (env: Record<string, string>) => {
    try {
      readBoth(env);
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map((problem) => problem.split(':')[0]);
    }
  };

  it('a second Redis is absent by default, and its other settings are refused without its URL', () => {
    expect(secondRedisOptions(readBoth({}), name)).toBeUndefined();
    expect(problems({ IDEMPOTENCY_REDIS_PASSWORD: 'pw', IDEMPOTENCY_REDIS_TLS_CA: 'any' })).toEqual([
      'IDEMPOTENCY_REDIS_PASSWORD',
      'IDEMPOTENCY_REDIS_TLS_CA',
    ]);
  });

  it('a second Redis needs TLS and credentials of its own in production, as the first one does', () => {
    expect(problems({ IDEMPOTENCY_REDIS_URL: 'redis://second:6379' })).toEqual([
      'IDEMPOTENCY_REDIS_URL',
      'IDEMPOTENCY_REDIS_PASSWORD',
    ]);
    expect(problems({ IDEMPOTENCY_REDIS_URL: 'redis://second:6379', INSECURE_CONNECTIONS: 'redis' })).toEqual([]);
    const incomplete = { IDEMPOTENCY_REDIS_URL: 'rediss://second:6379', IDEMPOTENCY_REDIS_USERNAME: 'gateway' };
    expect(new Set(problems(incomplete))).toEqual(new Set(['IDEMPOTENCY_REDIS_PASSWORD']));
    expect(problems({ IDEMPOTENCY_REDIS_URL: 'http://second' })).toContain('IDEMPOTENCY_REDIS_URL');
  });

  it('a second Redis has its own address, credentials and certificates, and the key prefix of the first one', () => {
    const config = readBoth({
      REDIS_KEY_PREFIX: 'acme:',
      IDEMPOTENCY_REDIS_URL: 'rediss://second:6379',
      IDEMPOTENCY_REDIS_USERNAME: 'gateway',
      IDEMPOTENCY_REDIS_PASSWORD: 'pw',
    });
    expect(secondRedisOptions(config, name)).toEqual({
      url: 'rediss://second:6379',
      keyPrefix: 'acme:',
      credentials: { username: 'gateway', password: 'pw' },
      tls: {},
    });
    expect(redisOptions(config)).toMatchObject({ url: secure.REDIS_URL });
  });

  it('a second Redis connects with TLS to an address that begins with REDISS:// in any case, as production rules assume', () => {
    const config = readBoth({
      REDIS_URL: 'REDISS://:pw@first:6379',
      IDEMPOTENCY_REDIS_URL: 'Rediss://:pw@second:6379',
    });
    expect(redisOptions(config).tls).toEqual({});
    expect(secondRedisOptions(config, name)?.tls).toEqual({});
  });
});
