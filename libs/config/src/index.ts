import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/**
 * The environment, read once and validated whole. A service describes its settings as a zod object whose keys are the
 * variables' names; {@link readConfig} reports every fault at once, so that a wrong deployment is mended in one round.
 * A secret X may come as X_FILE, the path of a file that holds it. Values are never printed, only names and problems.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} fault(s):\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Parses `env` by `schema`. Empty variables count as absent. Throws {@link ConfigError} with every fault. */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Environment,
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
  }
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = issue.path.join('.');
      if (problems.some((problem) => name && new RegExp(`^${name}(_FILE)?:`).test(problem))) continue;
      const missing = issue.code === 'invalid_type' && !(name in input);
      problems.push(name ? `${name}: ${missing ? 'is required' : issue.message}` : issue.message);
    }
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  return parsed.data;
}

/** A whole number within bounds. */
export const integer = (options: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= options.min && n <= options.max, `must be between ${options.min} and ${options.max}`);

export const port = () => integer({ min: 0, max: 65_535 });

/** A comma-separated list without empty entries. */
export const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

export const flag = () =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true');

export const url = (protocols: readonly string[]) =>
  z.string().refine(
    (text) => {
      const protocol = URL.canParse(text) ? new URL(text).protocol : /^(\w[\w+]*:)\/\//.exec(text)?.[1];
      return protocol !== undefined && protocols.includes(protocol);
    },
    `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  );

/** A gRPC target: host:port, dns:///name:port, or ipv4:host:port,host:port. */
export const grpcTarget = () =>
  z
    .string()
    .regex(
      /^(dns:\/\/\/[\w.-]+:\d+|ipv4:[\d.]+:\d+(,[\d.]+:\d+)*|[\w.-]+:\d+)$/,
      'must be host:port, dns:///name:port or ipv4:address:port[,…]',
    );

/** What every service has. */
export const serviceSettings = {
  HOST: z.string().default('0.0.0.0'),
  ADMIN_PORT: port(),
  SHOPSCOPE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  INSTANCE_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, dots, hyphens or underscores')
    .default(() => `${hostname()}-${process.pid}`),
};

export const mongoSettings = (database: string) => ({
  MONGODB_URL: url(['mongodb:', 'mongodb+srv:']),
  MONGODB_DATABASE: z.string().min(1).max(60).default(database),
  MONGODB_POOL_SIZE: integer({ min: 1, max: 1_000 }).default(20),
});

export const kafkaSettings = {
  KAFKA_BROKERS: list().refine((brokers) => brokers.length > 0, 'must name at least one broker'),
  KAFKA_TOPIC_PREFIX: z.string().max(100).default(''),
  KAFKA_REPLICATION_FACTOR: integer({ min: 1, max: 9 }).optional(),
};

export const redisSettings = {
  REDIS_URL: url(['redis:', 'rediss:']),
  REDIS_KEY_PREFIX: z.string().max(100).default('shopscope:'),
};

/** The way to a service's database, as its settings have it. */
export function mongoOptions(config: { MONGODB_URL: string; MONGODB_DATABASE: string; MONGODB_POOL_SIZE: number }) {
  return { url: config.MONGODB_URL, database: config.MONGODB_DATABASE, poolSize: config.MONGODB_POOL_SIZE };
}

interface KafkaConfig {
  SHOPSCOPE_ENV: string;
  INSTANCE_ID: string;
  KAFKA_BROKERS: string[];
  KAFKA_TOPIC_PREFIX: string;
  KAFKA_REPLICATION_FACTOR?: number | undefined;
}

/** The way to Kafka, as a service's settings have it: three copies of a topic in production, one elsewhere, unless set. */
export function kafkaOptions(config: KafkaConfig) {
  return {
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    replicationFactor: config.KAFKA_REPLICATION_FACTOR ?? (config.SHOPSCOPE_ENV === 'production' ? 3 : 1),
  };
}

export { z };
