import {
  developmentClockRule,
  developmentClockSettings,
  type Environment,
  flag,
  grpcTarget,
  grpcTlsRule,
  grpcTlsSettings,
  integer,
  isProduction,
  kafkaRules,
  kafkaSettings,
  list,
  mongoRules,
  mongoSettings,
  namedSecrets,
  namedSecretsOf,
  port,
  type Rule,
  readConfig,
  secretRule,
  serviceSettings,
  url,
  z,
} from '@shopscope/config';
import { isCidr } from '@shopscope/outbound-http';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('webhooks'),
  ...kafkaSettings,
  ...developmentClockSettings,
  SUBSCRIPTIONS_ADDRESS: grpcTarget(),
  ADMIN_PORT: port().default(9088),
  GRPC_PORT: port().default(50057),
  /** The public address of the API. Messages that are truncated have links to it. */
  PUBLIC_API_URL: url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, '')),
  /** The secrets under which secrets of endpoints are stored, as `id:secret,id:secret`. The first one encrypts. */
  WEBHOOK_STORAGE_SECRETS: namedSecrets(),
  /** Whether endpoints on this machine are accepted, also without TLS. */
  ALLOW_LOOPBACK_ENDPOINTS: flag().default(false),
  /** Networks that no attempt may reach beside those that are not public: those of this system. */
  WEBHOOK_DENIED_CIDRS: list()
    .refine((cidrs) => cidrs.every(isCidr), 'must be a list of networks such as 198.51.100.0/24')
    .default([]),
  /** The attempts of an instance at the same time, per environment. Each holds a connection and a message. */
  MAX_ATTEMPTS_IN_FLIGHT: integer({ min: 1, max: 5_000 }).default(500),
  /** The interval of the steps that depend only on time. */
  TICK_MS: integer({ min: 10, max: 60_000 }).default(1_000),
});

export type WebhooksConfig = z.output<typeof settings>;

const loopbackRule: Rule = (given) =>
  given.ALLOW_LOOPBACK_ENDPOINTS === 'true' && isProduction(given)
    ? ['ALLOW_LOOPBACK_ENDPOINTS: is for development and tests only']
    : [];

/** Throws a ConfigError that lists every problem. */
export const loadConfig = (env: Environment): WebhooksConfig =>
  readConfig(settings, env, [
    mongoRules,
    kafkaRules,
    grpcTlsRule('webhooks'),
    developmentClockRule,
    loopbackRule,
    secretRule('WEBHOOK_STORAGE_SECRETS', { secretsOf: namedSecretsOf }),
  ]);
