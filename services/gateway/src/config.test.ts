import { randomBytes } from 'node:crypto';
import type { ConfigError } from '@shopscope/config';
import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';

const production = {
  HOST: '127.0.0.1',
  KAFKA_BROKERS: '127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  KEYS_ADDRESS: '127.0.0.1:1',
  PROFILES_ADDRESS: '127.0.0.1:1',
  METERING_ADDRESS: '127.0.0.1:1',
  SCAN_SCHEDULER_ADDRESS: '127.0.0.1:1',
  SUBSCRIPTIONS_ADDRESS: '127.0.0.1:1',
  WEBHOOKS_ADDRESS: '127.0.0.1:1',
  SEARCH_ADDRESS: '127.0.0.1:1',
  PUBLIC_API_URL: 'https://api.shopscope.example',
  PUBLIC_SITE_URL: 'https://shopscope.example',
  CURSOR_SECRET: randomBytes(32).toString('hex'),
};
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig({ ...production, ...env });
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

it('a cursor secret that others may know is refused in production, the default, and accepted in development', () => {
  expect(problemsOf({})).toEqual([]);
  const CURSOR_SECRET = 'development-cursor-secret-development';
  expect(problemsOf({ CURSOR_SECRET })).toEqual(['CURSOR_SECRET: is public, so production refuses it']);
  expect(problemsOf({ CURSOR_SECRET: 'a'.repeat(64) })).toEqual([
    'CURSOR_SECRET: repeats itself or counts, so production refuses it',
  ]);
  expect(problemsOf({ CURSOR_SECRET, SHOPSCOPE_ENV: 'development' })).toEqual([]);
});
