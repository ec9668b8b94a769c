import { join } from 'node:path';
import type { Report } from './download.ts';
import type { KafkaListener } from './kafka-properties.ts';
import type { StackPart } from './part.ts';

/** The ports of the only nodes. A server of several nodes has consecutive ports from its own on. */
export interface StackPorts {
  mongodb: number;
  kafka: number;
  kafkaController: number;
  redis: number;
  opensearch: number;
  opensearchTransport: number;
}

export const redisForms = ['sentinel', 'cluster'] as const;
export type RedisForm = (typeof redisForms)[number];

export interface StackOptions {
  /** Directory of data, logs and pid files. */
  stateDir: string;
  /** Directory of downloaded programs; may be shared between checkouts. Default `<stateDir>/cache`. */
  cacheDir?: string;
  /** The nodes of every server. Default 1. */
  nodes?: 1 | 3;
  /** How the three nodes of Redis serve together: one primary (the default), or a share of the keys each. */
  redisForm?: RedisForm;
  /** Starts OpenSearch, too. */
  withOpenSearch?: boolean;
  ports?: Partial<StackPorts>;
  kafkaListeners?: readonly KafkaListener[];
  /** SHOPSCOPE_MONGODB_URL, SHOPSCOPE_KAFKA_BROKERS, SHOPSCOPE_REDIS_URL and SHOPSCOPE_OPENSEARCH_URL select external servers. */
  env?: Readonly<Record<string, string | undefined>>;
  report?: Report;
  /** The data are deleted with the stack, so native servers do no work that only a long life needs. */
  isTemporary?: boolean;
  /** Aborts the start, including downloads. `startStack` rejects with the reason. */
  abort?: AbortSignal;
}

export interface Servers {
  mongodb: StackPart;
  kafka: StackPart;
  redis: StackPart;
  /** Only with `withOpenSearch`. */
  opensearch?: StackPart;
}

/** The options of every native server. */
export function nativeOptions(options: StackOptions) {
  const { stateDir, cacheDir = join(stateDir, 'cache'), report = () => {}, abort, isTemporary = false } = options;
  return { stateDir, cacheDir, report, abort, isTemporary };
}
