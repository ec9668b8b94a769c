import { z } from 'zod';
import { inProduction, insecureConnections, isRemoteProduction, mustBeSecure, type Rule } from './rules.ts';
import { tlsMaterial, tlsProblems, tlsSettings } from './tls.ts';
import { flag, integer, list } from './values.ts';

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

export const kafkaSettings = {
  KAFKA_BROKERS: list().refine((brokers) => brokers.length > 0, 'must name at least one broker'),
  KAFKA_TOPIC_PREFIX: z.string().max(100).default(''),
  KAFKA_REPLICATION_FACTOR: integer({ min: 1, max: 9 }).optional(),
  KAFKA_MAX_GATHER_MS: integer({ min: 0, max: 10_000 }).default(10_000),
  KAFKA_TLS: flag().default(false),
  ...tlsSettings('KAFKA'),
  KAFKA_SASL_MECHANISM: z
    .string()
    .toLowerCase()
    .pipe(z.enum(mechanisms, { error: `must be one of ${mechanisms.join(', ').toUpperCase()}` }))
    .optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  ...insecureConnections,
};

const sasl = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];

/** A stopped broker then neither loses acknowledged events nor refuses further ones. */
const productionReplicas = 3;

/** Refuses incomplete TLS settings and incomplete credentials. Production requires both, and enough replicas. */
export const kafkaRules: Rule = (given) => {
  const tls = given.KAFKA_TLS === 'true';
  const problems = tlsProblems(given, 'KAFKA', tls, 'has no effect unless KAFKA_TLS is true');
  const set = sasl.filter((name) => given[name]);
  if (set.length > 0) {
    const missing = sasl.filter((name) => !given[name]);
    problems.push(...missing.map((name) => `${name}: is required with ${set.join(' and ')}`));
  }
  const brokers = (given.KAFKA_BROKERS ?? '').split(',').map(trimmed);
  const { KAFKA_REPLICATION_FACTOR: replicas } = given;
  if (replicas && Number(replicas) < productionReplicas && isRemoteProduction(given, brokers)) {
    problems.push(`KAFKA_REPLICATION_FACTOR: must be at least ${productionReplicas} in production`);
  }
  if (!mustBeSecure(given, 'kafka', brokers)) return problems;
  if (!tls) problems.push(`KAFKA_TLS: must be true ${inProduction('kafka')}`);
  if (set.length === 0 && !given.KAFKA_TLS_CERT) {
    problems.push(`KAFKA_SASL_MECHANISM: is required, or a client certificate, ${inProduction('kafka')}`);
  }
  return problems;
};

const trimmed = (text: string) => text.trim();

export type KafkaConfig = Partial<z.output<z.ZodObject<typeof kafkaSettings>>> & {
  SHOPSCOPE_ENV: string;
  INSTANCE_ID: string;
  KAFKA_BROKERS: string[];
  KAFKA_TOPIC_PREFIX: string;
};

/** Returns the options of the Kafka client. The default replication factor is 3 in production, otherwise 1. */
export function kafkaOptions(config: KafkaConfig) {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  return {
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE_ID,
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    replicationFactor:
      config.KAFKA_REPLICATION_FACTOR ?? (config.SHOPSCOPE_ENV === 'production' ? productionReplicas : 1),
    onlyComparesTopics: config.SHOPSCOPE_ENV === 'production',
    maxGatherMs: config.KAFKA_MAX_GATHER_MS,
    ...(config.KAFKA_TLS && { tls: tlsMaterial(config, 'KAFKA') }),
    ...(mechanism && username && password && { sasl: { mechanism, username, password } }),
  };
}
