import {
  type Environment,
  grpcTlsRule,
  grpcTlsSettings,
  kafkaRules,
  kafkaSettings,
  mongoRules,
  mongoSettings,
  port,
  readConfig,
  serviceSettings,
  z,
} from '@shopscope/config';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('keys'),
  ...kafkaSettings,
  ADMIN_PORT: port().default(9081),
  GRPC_PORT: port().default(50051),
  /** Secret under which key fingerprints are made; changing it makes every key unknown. */
  KEY_PEPPER: z.string().min(32, 'must have at least 32 characters'),
});

export type KeysConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault. */
export const loadConfig = (env: Environment): KeysConfig =>
  readConfig(settings, env, [mongoRules, kafkaRules, grpcTlsRule('keys')]);
