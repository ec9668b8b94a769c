import { z } from 'zod';
import { inProduction, insecureConnections, mustBeSecure, type Rule } from './rules.ts';
import { tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';
import { url } from './values.ts';

export const redisSettings = {
  /** TLS with rediss://. */
  REDIS_URL: url(['redis:', 'rediss:']),
  REDIS_KEY_PREFIX: z.string().max(100).default('shopscope:'),
  /** Alternative to a user and password in the URL. Without a user name Redis uses its default user. */
  REDIS_USERNAME: z.string().optional(),
  REDIS_PASSWORD: z.string().optional(),
  ...tlsSettings('REDIS'),
  ...insecureConnections,
};

/** Incomplete TLS settings and incomplete credentials are refused. In production both are required. */
export const redisRules: Rule = (given) => {
  const text = given.REDIS_URL ?? '';
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const tls = address?.protocol === 'rediss:';
  const problems = tlsProblems(given, 'REDIS', tls, 'has no effect unless REDIS_URL starts with rediss://');
  const { REDIS_USERNAME: username, REDIS_PASSWORD: password } = given;
  if (username && !password) problems.push('REDIS_PASSWORD: is required with REDIS_USERNAME');
  if ((username || password) && (address?.username || address?.password)) {
    problems.push('REDIS_PASSWORD: REDIS_URL has credentials too; set them in one place');
  }
  if (address?.username && !address.password) problems.push('REDIS_URL: names a user without a password');
  if (!mustBeSecure(given, 'redis', [address?.host ?? ''])) return problems;
  if (!tls) problems.push(`REDIS_URL: must start with rediss:// ${inProduction('redis')}`);
  if (!(address?.password || password)) {
    problems.push(`REDIS_PASSWORD: is required, or a password in REDIS_URL, ${inProduction('redis')}`);
  }
  return problems;
};

export interface RedisConfig {
  REDIS_URL: string;
  REDIS_KEY_PREFIX: string;
  REDIS_USERNAME?: string | undefined;
  REDIS_PASSWORD?: string | undefined;
}

/** The options of the Redis client. */
export function redisOptions(config: RedisConfig) {
  const { REDIS_USERNAME: username, REDIS_PASSWORD: password } = config;
  return {
    url: config.REDIS_URL,
    keyPrefix: config.REDIS_KEY_PREFIX,
    ...(password && { credentials: { ...(username && { username }), password } }),
    ...(config.REDIS_URL.startsWith('rediss:') && { tls: tlsMaterial(config, 'REDIS') }),
  };
}
