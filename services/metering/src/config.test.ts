import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const env = {
  SHOPSCOPE_ENV: 'development',
  MONGODB_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  KAFKA_BROKERS: '127.0.0.1:9092',
};

describe('loadConfig', () => {
  it('metering has no movable clock unless its configuration asks for one', () => {
    expect(loadConfig(env).DEVELOPMENT_CLOCK).toBe(false);
    expect(loadConfig({ ...env, DEVELOPMENT_CLOCK: 'true' }).DEVELOPMENT_CLOCK).toBe(true);
    const production = { ...env, SHOPSCOPE_ENV: 'production', INSECURE_CONNECTIONS: 'grpc' };
    expect(loadConfig({ ...production, DEVELOPMENT_CLOCK: 'false' }).DEVELOPMENT_CLOCK).toBe(false);
  });

  it('the configuration refuses a movable clock in production, which is the default environment', () => {
    for (const SHOPSCOPE_ENV of ['production', '', undefined]) {
      expect(() => loadConfig({ ...env, SHOPSCOPE_ENV, DEVELOPMENT_CLOCK: 'true' })).toThrow(
        /DEVELOPMENT_CLOCK.*development or test/,
      );
    }
  });
});
