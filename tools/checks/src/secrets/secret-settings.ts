import { randomBytes } from 'node:crypto';
import { ConfigError, type Environment } from '@shopscope/config';
import { loadConfig as dlq } from '../../../dlq/src/config.ts';
import { serviceConfigs } from '../service-configs.ts';

/** The settings that are secrets, or public keys of secrets, and whose configuration reads each. */
const key = (text: string) => Buffer.from(text.padEnd(32, text)).subarray(0, 32).toString('base64');

export interface SecretSetting {
  owner: string;
  load(env: Environment): object;
  /** The text of the setting for a secret. */
  write(secret: string): string;
}

const whole = (secret: string) => secret;
const of = (owner: string, write = whole): SecretSetting => ({
  owner,
  load: owner === 'dlq' ? (env) => dlq({ KAFKA_BROKERS: '127.0.0.1:1', ...env }) : (serviceConfigs[owner] as never),
  write,
});

export const secretSettings: Readonly<Record<string, SecretSetting>> = {
  CURSOR_SECRET: of('gateway'),
  KEY_PEPPER: of('keys'),
  KEY_PEPPERS: of('keys', (secret) => `2:${randomBytes(32).toString('hex')},1:${secret}`),
  SESSION_SECRET: of('dashboard'),
  WEBHOOK_STORAGE_SECRETS: of('webhooks', (secret) => `2:${randomBytes(32).toString('hex')},1:${secret}`),
  OIDC_CLIENT_SECRET: of('dashboard'),
  PERMIT_SIGNING_KEY: of('scan-scheduler', (secret) => `1:${key(secret)}`),
  PERMIT_PUBLIC_KEYS: of('profiles', (secret) => `scan-scheduler:1:${key(secret)}`),
  REPLAY_SIGNING_KEY: of('dlq', (secret) => `r1:${key(secret)}`),
};

/** The problems that a configuration has with one setting. Those with other settings, which are absent, do not matter. */
export function problemsWith(setting: string, value: string, environment: string): string[] {
  try {
    secretSettings[setting]?.load({ SHOPSCOPE_ENV: environment, [setting]: value });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.filter((problem) => problem.startsWith(`${setting}:`));
  }
}
