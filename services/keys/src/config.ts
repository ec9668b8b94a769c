import {
  developmentClockRule,
  developmentClockSettings,
  type Environment,
  grpcTlsRule,
  grpcTlsSettings,
  kafkaRules,
  kafkaSettings,
  mongoRules,
  mongoSettings,
  namedSecrets,
  namedSecretsOf,
  port,
  type Rule,
  readConfig,
  secret,
  secretRule,
  serviceSettings,
  z,
} from '@shopscope/config';
import { type Peppers, unnamedPepperId } from './domain/pepper.ts';

const settings = z.object({
  ...serviceSettings,
  ...grpcTlsSettings,
  ...mongoSettings('keys'),
  ...kafkaSettings,
  ...developmentClockSettings,
  ADMIN_PORT: port().default(9081),
  GRPC_PORT: port().default(50051),
  /** The secret of the only pepper. Its id is `1`. */
  KEY_PEPPER: secret().optional(),
  /** Several peppers, as `id:secret,id:secret`. The first one is current. The others are being introduced or retired. */
  KEY_PEPPERS: namedSecrets().optional(),
});

export type KeysConfig = z.output<typeof settings>;

const onePepperSetting: Rule = ({ KEY_PEPPER, KEY_PEPPERS }) => {
  if (KEY_PEPPER && KEY_PEPPERS) return ['KEY_PEPPERS: set either KEY_PEPPER or KEY_PEPPERS, not both'];
  return KEY_PEPPER || KEY_PEPPERS ? [] : ['KEY_PEPPER: is required, unless KEY_PEPPERS is set'];
};

/** Throws a ConfigError that lists every problem. */
export const loadConfig = (env: Environment): KeysConfig =>
  readConfig(settings, env, [
    mongoRules,
    kafkaRules,
    grpcTlsRule('keys'),
    developmentClockRule,
    onePepperSetting,
    secretRule('KEY_PEPPER'),
    secretRule('KEY_PEPPERS', { secretsOf: namedSecretsOf }),
  ]);

export function peppersOf({ KEY_PEPPER, KEY_PEPPERS }: Pick<KeysConfig, 'KEY_PEPPER' | 'KEY_PEPPERS'>): Peppers {
  return KEY_PEPPERS ?? [{ id: unnamedPepperId, secret: KEY_PEPPER ?? '' }];
}
