import { randomBytes } from 'node:crypto';
import { ConfigError } from '@shopscope/config';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const production = {
  MONGODB_URL: 'mongodb://dashboard:secret@mongodb.data.example:27017/?replicaSet=rs0&tls=true',
  KAFKA_BROKERS: 'kafka.data.example:9092',
  KAFKA_TLS: 'true',
  KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
  KAFKA_SASL_USERNAME: 'dashboard',
  KAFKA_SASL_PASSWORD: 'secret',
  REDIS_URL: 'rediss://dashboard:secret@redis.data.example:6379',
  KEYS_ADDRESS: 'dns:///keys:50051',
  METERING_ADDRESS: 'dns:///metering:50053',
  PROFILES_ADDRESS: 'dns:///profiles:50052',
  SCAN_SCHEDULER_ADDRESS: 'dns:///scan-scheduler:50054',
  SEARCH_ADDRESS: 'dns:///search:50058',
  WEBHOOKS_ADDRESS: 'dns:///webhooks:50057',
  GATEWAY_ADDRESS: 'gateway:8081',
  DASHBOARD_URL: 'https://dashboard.shopscope.example/',
  PUBLIC_API_URL: 'https://api.shopscope.example',
  PUBLIC_SITE_URL: 'https://shopscope.example',
  SESSION_SECRET: randomBytes(32).toString('hex'),
  MAIL_URL: 'smtps://shopscope:secret@smtp.mail.example:465',
  INSECURE_CONNECTIONS: 'grpc',
};
const problemsOf = (over: Record<string, string>, without: string[] = []) => {
  const env = Object.fromEntries(
    Object.entries({ ...production, ...over }).filter(([name]) => !without.includes(name)),
  );
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('loadConfig', () => {
  it('the configuration is that of production by default, with keys in Redis of its own', () => {
    const config = loadConfig(production);
    expect(config).toMatchObject({ SHOPSCOPE_ENV: 'production', DEVELOPMENT_MAIL: false, SIGN_UP: 'invitation' });
    expect(config.DASHBOARD_URL).toBe('https://dashboard.shopscope.example');
    expect(config.REDIS_KEY_PREFIX).toBe('dashboard:');
  });

  it('the configuration refuses the outbox page and plain addresses in production, and accepts them in development', () => {
    const development = { DEVELOPMENT_MAIL: 'true', DASHBOARD_URL: 'http://127.0.0.1:8090' };
    expect(problemsOf(development, ['MAIL_URL'])).toEqual([
      'DEVELOPMENT_MAIL: must not be true in production',
      'DASHBOARD_URL: must start with https:// in production',
    ]);
    expect(problemsOf({ ...development, SHOPSCOPE_ENV: 'development' }, ['MAIL_URL'])).toEqual([]);
  });

  it('the configuration refuses a session secret that others may know in production, and accepts it in development', () => {
    const SESSION_SECRET = 'development-session-secret-development';
    expect(problemsOf({ SESSION_SECRET })).toEqual(['SESSION_SECRET: is public, so production refuses it']);
    expect(problemsOf({ SESSION_SECRET: '0123456789'.repeat(4) })).toEqual([
      'SESSION_SECRET: repeats itself or counts, so production refuses it',
    ]);
    expect(problemsOf({ SESSION_SECRET, SHOPSCOPE_ENV: 'development' })).toEqual([]);
  });

  it('the configuration needs exactly one way for mail', () => {
    expect(problemsOf({}, ['MAIL_URL'])).toEqual(['MAIL_URL: is required, unless DEVELOPMENT_MAIL is true']);
    expect(problemsOf({ DEVELOPMENT_MAIL: 'true', SHOPSCOPE_ENV: 'test' })).toEqual([
      'DEVELOPMENT_MAIL: set either DEVELOPMENT_MAIL or MAIL_URL, not both',
    ]);
  });

  it('the configuration needs all settings of single sign-on or none', () => {
    expect(problemsOf({ OIDC_ISSUER: 'http://login.example' })).toEqual([
      'OIDC_CLIENT_ID: is required with the other OIDC settings',
      'OIDC_CLIENT_SECRET: is required with the other OIDC settings',
      'OIDC_ISSUER: must start with https:// in production',
    ]);
    const client = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'shopscope' };
    expect(problemsOf({ ...client, OIDC_CLIENT_SECRET: randomBytes(12).toString('hex') })).toEqual([]);
    expect(problemsOf({ ...client, OIDC_CLIENT_SECRET: 'secret' })).toEqual([
      'OIDC_CLIENT_SECRET: must have at least 16 characters in production',
    ]);
  });
});
