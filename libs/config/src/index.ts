import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Rule } from './rules.ts';
import { integer, port } from './values.ts';

/**
 * Reads and validates the environment once.
 *
 * - The settings are a zod object whose keys are names of variables.
 * - Invalid variables -> {@link readConfig} reports all of them at once. One correction of the deployment is therefore enough.
 * - Every variable X may be given as X_FILE, the path of a file with the value.
 * - Error messages contain names and problems, never values.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** The placeholder in templates of Secrets. It is refused because it is public. */
export const placeholder = 'REPLACE-ME';

/**
 * Parses `env` with `schema` and checks `rules`, the conditions between variables. Empty variables count as absent.
 * Throws {@link ConfigError} with every problem.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
  rules: readonly Rule[] = [],
): z.output<z.ZodObject<Shape>> {
  const problems: string[] = [];
  const input: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const direct = env[name];
    const path = env[`${name}_FILE`];
    if (direct && path) problems.push(`${name}: set either ${name} or ${name}_FILE, not both`);
    else if (direct) input[name] = direct;
    else if (path) {
      try {
        input[name] = readFileSync(path, 'utf8').trim();
      } catch (error) {
        problems.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`);
      }
    }
    if (input[name]?.includes(placeholder)) problems.push(`${name}: still contains the placeholder ${placeholder}`);
  }
  const parsed = schema.safeParse(input);
  const isReported = (name: string) =>
    problems.some((problem) => name && new RegExp(`^${name}(_FILE)?:`).test(problem));
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path.join('.');
      if (isReported(name)) continue;
      const missing = issue.code === 'invalid_type' && !(name in input);
      problems.push(name ? `${name}: ${missing ? 'is required' : issue.message}` : issue.message);
    }
  }
  const violations = new Set(rules.flatMap((rule) => rule(input)));
  problems.push(...[...violations].filter((problem) => !isReported(problem.split(':')[0] ?? '')));
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return parsed.data;
}

export const serviceSettings = {
  HOST: z.string().default('0.0.0.0'),
  ADMIN_PORT: port(),
  SHOPSCOPE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  INSTANCE_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores')
    .default(() => `${hostname()}-${process.pid}`),
  /** The time between the end of readiness and the end of serving. During it, callers move to other instances. */
  DRAIN_DELAY_MS: integer({ min: 0, max: 10_000 }).optional(),
};

/** Returns the drain delay. In production, load balancers, DNS and gRPC channels need seconds to notice the end of readiness. */
export function drainDelayMs(config: { DRAIN_DELAY_MS?: number | undefined; SHOPSCOPE_ENV?: string }): number {
  return config.DRAIN_DELAY_MS ?? (config.SHOPSCOPE_ENV === 'production' ? 5_000 : 0);
}

export { developmentClockRule, developmentClockSettings } from './development-clock.ts';
export { type GrpcTlsConfig, grpcTlsFiles, grpcTlsFilesRule, grpcTlsRule, grpcTlsSettings } from './grpc-tls.ts';
export { type KafkaConfig, kafkaOptions, kafkaRules, kafkaSettings } from './kafka.ts';
export { type LocalSystem, localSystemPath, readLocalSystem } from './local-system.ts';
export { type MongoConfig, mongoOptions, mongoRules, mongoSettings } from './mongo.ts';
export { type NamedSecret, type NamedSecrets, namedSecrets, namedSecretsOf } from './named-secrets.ts';
export {
  type OpenSearchConfig,
  openSearchOptions,
  openSearchRules,
  openSearchSettings,
} from './opensearch.ts';
export { identityUri, type PeerName, peerNames, peerOf } from './peer-identity.ts';
export { publicKeys, publicKeysRule, signingKey, signingKeyRule } from './permit-keys.ts';
export {
  type RedisConfig,
  redisOptions,
  redisRules,
  redisSettings,
  secondRedisOptions,
  secondRedisRules,
  secondRedisSettings,
} from './redis.ts';
export { type Given, isProduction, type Rule } from './rules.ts';
export { publicWord, type SecretOptions, secret, secretLengthMin, secretRule } from './secrets.ts';
export type { TlsMaterial } from './tls.ts';
export { readTlsFiles, type TlsFile, type TlsFileContents, type TlsFiles, type TlsReading } from './tls-files.ts';
export { flag, grpcTarget, integer, list, port, url } from './values.ts';
export { z };
