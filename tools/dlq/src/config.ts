import {
  type Environment,
  kafkaSettings,
  publicKeys,
  publicKeysRule,
  readConfig,
  readLocalSystem,
  serviceSettings,
  signingKey,
  signingKeyRule,
  z,
} from '@shopscope/config';

const settings = z.object({
  SHOPSCOPE_ENV: serviceSettings.SHOPSCOPE_ENV,
  /** Signs the permits of replay. */
  REPLAY_SIGNING_KEY: signingKey().optional(),
  PERMIT_PUBLIC_KEYS: publicKeys().optional(),
  ...kafkaSettings,
});

const rules = [signingKeyRule('REPLAY_SIGNING_KEY'), publicKeysRule('PERMIT_PUBLIC_KEYS')];

/** The same settings as services have. Without KAFKA_BROKERS: the broker of the running local system. */
export function loadConfig(env: Environment) {
  if (env.KAFKA_BROKERS) return readConfig(settings, env, rules);
  const { brokers } = readLocalSystem(env, 'KAFKA_BROKERS').stack?.kafka ?? {};
  return readConfig(settings, { SHOPSCOPE_ENV: 'development', ...env, KAFKA_BROKERS: brokers }, rules);
}
