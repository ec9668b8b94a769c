import { z } from 'zod';
import { type Given, inProduction, insecureConnections, mustBeSecure, type Rule } from './rules.ts';
import { tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';
import { url } from './values.ts';

const credentialSettings = <Name extends string>(name: Name) =>
  ({
    [`${name}_USERNAME`]: z.string().optional(),
    [`${name}_PASSWORD`]: z.string().optional(),
    ...tlsSettings(name),
  }) as Record<`${Name}_${'USERNAME' | 'PASSWORD' | 'TLS_CA' | 'TLS_CERT' | 'TLS_KEY'}`, z.ZodOptional<z.ZodString>>;

export const redisSettings = {
  /** A URL with rediss:// enables TLS. */
  REDIS_URL: url(['redis:', 'rediss:']),
  REDIS_KEY_PREFIX: z.string().max(100).default('shopscope:'),
  /** An alternative to the username and password in the URL. Without a username, Redis uses its default user. */
  ...credentialSettings('REDIS'),
  ...insecureConnections,
};

/** The settings of a second Redis of a service. Without NAME_URL the service uses the Redis of REDIS_URL for everything. */
export const secondRedisSettings = <Name extends string>(name: Name) => ({
  ...({ [`${name}_URL`]: url(['redis:', 'rediss:']).optional() } as Record<`${Name}_URL`, z.ZodOptional<z.ZodString>>),
  ...credentialSettings(name),
});

/** Refuses incomplete TLS settings and incomplete credentials. In production, TLS and credentials are required. */
export const redisRules: Rule = (given) => problemsOf(given, 'REDIS');

/** Applies the same rules to a second Redis. Its other settings require its URL. */
export const secondRedisRules =
  (name: string): Rule =>
  (given) => {
    if (given[`${name}_URL`]) return problemsOf(given, name);
    const others = Object.keys(credentialSettings(name)).filter((setting) => given[setting]);
    return others.map((setting) => `${setting}: has no effect without ${name}_URL`);
  };

function problemsOf(given: Given, name: string): string[] {
  const [urlName, usernameName, passwordName] = [`${name}_URL`, `${name}_USERNAME`, `${name}_PASSWORD`];
  const text = given[urlName] ?? '';
  const address = URL.canParse(text) ? new URL(text) : undefined;
  const tls = address?.protocol === 'rediss:';
  const problems = tlsProblems(given, name, tls, `has no effect unless ${urlName} starts with rediss://`);
  const { [usernameName]: username, [passwordName]: password } = given;
  if (username && !password) problems.push(`${passwordName}: is required with ${usernameName}`);
  if ((username || password) && (address?.username || address?.password)) {
    problems.push(`${passwordName}: ${urlName} has credentials too; set them in one place`);
  }
  if (address?.username && !address.password) problems.push(`${urlName}: names a user without a password`);
  if (!mustBeSecure(given, 'redis', [address?.host ?? ''])) return problems;
  if (!tls) problems.push(`${urlName}: must start with rediss:// ${inProduction('redis')}`);
  if (!(address?.password || password)) {
    problems.push(`${passwordName}: is required, or a password in ${urlName}, ${inProduction('redis')}`);
  }
  return problems;
}

export interface RedisConfig {
  REDIS_URL: string;
  REDIS_KEY_PREFIX: string;
}

export const redisOptions = (config: RedisConfig) => optionsOf(config, 'REDIS', config.REDIS_URL);

/** Returns the client options of a second Redis, with the same key prefix. Returns undefined if the URL of that Redis is not set. */
export function secondRedisOptions(config: RedisConfig, name: string) {
  const given = (config as unknown as Given)[`${name}_URL`];
  return given === undefined ? undefined : optionsOf(config, name, given);
}

function optionsOf(config: RedisConfig, name: string, given: string) {
  const { [`${name}_USERNAME`]: username, [`${name}_PASSWORD`]: password } = config as unknown as Given;
  return {
    url: given,
    keyPrefix: config.REDIS_KEY_PREFIX,
    ...(password && { credentials: { ...(username && { username }), password } }),
    // The client compares the scheme with its lower-case form. It would therefore connect to REDISS:// without TLS.
    ...(/^rediss:/i.test(given) && { tls: tlsMaterial(config, name) }),
  };
}
