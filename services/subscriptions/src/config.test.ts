import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';

it('subscriptions has no movable clock unless its configuration asks for one, and production refuses it', () => {
  const address = '127.0.0.1:1';
  const env = {
    SHOPSCOPE_ENV: 'test',
    INSTANCE_ID: 'subscriptions-1',
    MONGODB_URL: 'mongodb://127.0.0.1:1',
    KAFKA_BROKERS: address,
    KEYS_ADDRESS: address,
    PROFILES_ADDRESS: address,
    METERING_ADDRESS: address,
    SCAN_SCHEDULER_ADDRESS: address,
    SEARCH_ADDRESS: address,
  };
  expect(loadConfig(env).DEVELOPMENT_CLOCK).toBe(false);
  expect(loadConfig({ ...env, DEVELOPMENT_CLOCK: 'true' }).DEVELOPMENT_CLOCK).toBe(true);
  for (const SHOPSCOPE_ENV of ['production', '']) {
    expect(() => loadConfig({ ...env, SHOPSCOPE_ENV, DEVELOPMENT_CLOCK: 'true' })).toThrow(/DEVELOPMENT_CLOCK: time/);
  }
});
