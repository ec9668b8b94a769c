import {
  type Environment,
  grpcTarget,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  kafkaRules,
  kafkaSettings,
  openSearchRules,
  openSearchSettings,
  port,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';

export const indexSettings = {
  /** Shards of a new index of stores. */
  INDEX_SHARDS: integer({ min: 1, max: 64 }).default(2),
  /** Copies of each shard of a new index of stores, beside the primary. Use 0 for a cluster of one node. */
  INDEX_REPLICAS: integer({ min: 0, max: 5 }).default(1),
};

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...kafkaSettings,
  ...openSearchSettings,
  PROFILES_ADDRESS: grpcTarget(),
  ADMIN_PORT: port().default(9089),
  GRPC_PORT: port().default(50058),
  ...indexSettings,
  /** The most searches of one workspace that an instance runs at the same time. */
  SEARCHES_PER_WORKSPACE: integer({ min: 1, max: 32 }).default(1),
  /** The time between two checks of an instance whether a new edition is due. */
  EDITION_LOOK_MS: integer({ min: 50, max: 60_000 }).default(10_000),
  /** The time between two checks of an instance whether an index must be filled. */
  FILL_LOOK_MS: integer({ min: 50, max: 60_000 }).default(2_000),
});

export type SearchConfig = z.output<typeof settings>;

/** Throws a ConfigError that lists every problem. */
export const loadConfig = (env: Environment): SearchConfig =>
  readConfig(settings, env, [kafkaRules, openSearchRules, grpcTlsRule('search')]);
