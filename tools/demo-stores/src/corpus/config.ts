import { type Environment, grpcTarget, grpcTlsFilesRule, grpcTlsSettings, readConfig, url, z } from '@shopscope/config';

const http = () => url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, ''));

const settings = z.object({
  ...grpcTlsSettings,
  KEYS_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  PROFILES_ADDRESS: grpcTarget(),
  /** Address of the gateway. */
  API_URL: http(),
  DEMO_STORES_URL: http(),
});

export type FillConfig = z.output<typeof settings>;

/** Throws a ConfigError that lists every invalid setting. */
export const loadConfig = (env: Environment): FillConfig => readConfig(settings, env, [grpcTlsFilesRule('operator')]);
