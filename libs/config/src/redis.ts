import { z } from 'zod';
import { parseRedisUrl, type RedisUrl, redisSchemes } from './redis-url.ts';
import { type Given, inProduction, insecureConnections, mustBeSecure, type Rule } from './rules.ts';
import { tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';

const credentialNames = ['USERNAME', 'PASSWORD', 'SENTINEL_USERNAME', 'SENTINEL_PASSWORD'] as const;

/** NAME_USERNAME and NAME_PASSWORD are for the servers, NAME_SENTINEL_USERNAME and NAME_SENTINEL_PASSWORD for the Sentinels. */
const credentialSettings = <Name extends string>(name: Name) =>
  ({
    ...Object.fromEntries(credentialNames.map((setting) => [`${name}_${setting}`, z.string().optional()])),
    ...tlsSettings(name),
  }) as Record<
    `${Name}_${(typeof credentialNames)[number] | 'TLS_CA' | 'TLS_CERT' | 'TLS_KEY'}`,
    z.ZodOptional<z.ZodString>
  >;

export const redisSettings = {
  /**
   * A URL of one server, of Sentinels or of a cluster, which {@link redisRules} checks. With rediss://, rediss+sentinel:// or
   * rediss+cluster:// the connections have TLS.
   */
  REDIS_URL: z.string(),
  /** The hash tags of a cluster are in the rest of a key, so the prefix has none. */
  REDIS_KEY_PREFIX: z
    .string()
    .max(100)
    .regex(/^[^{}]*$/, 'must not contain braces')
    .default('shopscope:'),
  /** An alternative to the username and password in the URL. Without a username, Redis uses its default user. */
  ...credentialSettings('REDIS'),
  ...insecureConnections,
};

/** The settings of a second Redis of a service. Without NAME_URL the service uses the Redis of REDIS_URL for everything. */
export const secondRedisSettings = <Name extends string>(name: Name) => ({
  ...({ [`${name}_URL`]: z.string().optional() } as Record<`${Name}_URL`, z.ZodOptional<z.ZodString>>),
  ...credentialSettings(name),
});

/** Refuses wrong URLs, incomplete TLS settings and incomplete credentials. In production, TLS and credentials are required. */
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
  const address = parseRedisUrl(given[urlName] ?? '');
  const tls = address?.tls === true;
  // Sentinels and nodes of a cluster name further hosts. These, and a URL without a readable host, count as other machines.
  const hosts = address?.form === 'server' ? address.hosts.map(({ host }) => host) : [];
  const isSecured = mustBeSecure(given, 'redis', hosts.length > 0 ? hosts : ['']);
  const problems = urlProblems(urlName, address, isSecured);
  problems.push(...tlsProblems(given, name, tls, `has no effect unless ${urlName} starts with rediss`));
  const { [usernameName]: username, [passwordName]: password } = given;
  if (username && !password) problems.push(`${passwordName}: is required with ${usernameName}`);
  if ((username || password) && (address?.username || address?.password)) {
    problems.push(`${passwordName}: ${urlName} has credentials too; set them in one place`);
  }
  problems.push(...sentinelProblems(given, name, address?.form === 'sentinel'));
  if (isSecured && !(address?.password || password)) {
    problems.push(`${passwordName}: is required, or a password in ${urlName}, ${inProduction('redis')}`);
  }
  return problems;
}

/** A variable has one message, which has all problems of the URL. */
function urlProblems(urlName: string, address: RedisUrl | undefined, isSecured: boolean): string[] {
  const problems = address?.problems ?? [
    `must be a URL that starts with ${redisSchemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  ];
  const insecure = isSecured && address?.tls === false ? [`must start with rediss ${inProduction('redis')}`] : [];
  const all = [...problems, ...insecure];
  return all.length > 0 ? [`${urlName}: ${all.join('; ')}`] : [];
}

function sentinelProblems(given: Given, name: string, isSentinel: boolean): string[] {
  const [usernameName, passwordName] = [`${name}_SENTINEL_USERNAME`, `${name}_SENTINEL_PASSWORD`];
  if (isSentinel) {
    return given[usernameName] && !given[passwordName] ? [`${passwordName}: is required with ${usernameName}`] : [];
  }
  const set = [usernameName, passwordName].filter((setting) => given[setting]);
  return set.map((setting) => `${setting}: has no effect unless ${name}_URL names Sentinels`);
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
  const { form, tls, hosts, primaryName, ...inUrl } = parseRedisUrl(given) as RedisUrl;
  const values = config as unknown as Given;
  const credentialsOf = (username?: string, password?: string) =>
    password ? { ...(username && { username }), password } : undefined;
  const inSettings = credentialsOf(values[`${name}_USERNAME`], values[`${name}_PASSWORD`]);
  const common = {
    keyPrefix: config.REDIS_KEY_PREFIX,
    ...(tls && { tls: tlsMaterial(config, name) }),
  };
  if (form === 'server') return { ...common, url: given, ...(inSettings && { credentials: inSettings }) };
  const credentials = inSettings ?? credentialsOf(inUrl.username, inUrl.password);
  const several = { ...common, ...(credentials && { credentials }) };
  if (form === 'cluster') return { ...several, cluster: hosts };
  const sentinelCredentials = credentialsOf(values[`${name}_SENTINEL_USERNAME`], values[`${name}_SENTINEL_PASSWORD`]);
  return { ...several, sentinels: hosts, primaryName, ...(sentinelCredentials && { sentinelCredentials }) };
}
