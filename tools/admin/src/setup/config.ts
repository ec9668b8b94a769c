import { type Environment, grpcTarget, integer, readConfig, url, z } from '@shopscope/config';

const http = () => url(['http:', 'https:']).transform((text) => text.replace(/\/+$/, ''));

const settings = z.object({
  KEYS_ADDRESS: grpcTarget(),
  SCAN_SCHEDULER_ADDRESS: grpcTarget(),
  /** Where the setup reaches the gateway. */
  API_URL: http(),
  /** Where people reach the gateway. */
  PUBLIC_API_URL: http(),
  SHOPSCOPE_CORPUS: z.enum(['demo', 'empty'], { error: 'must be demo or empty' }).default('demo'),
  DEMO_STORES_URL: http().optional(),
  SETUP_WORKSPACE: z.string().min(1).max(200).default('First workspace'),
  SETUP_PLAN: z.string().min(1).max(60).default('scale'),
  /** How long the scans of the demo stores may take. */
  SETUP_SCAN_TIMEOUT_MS: integer({ min: 1_000, max: 3_600_000 }).default(300_000),
});

export type SetupConfig = z.output<typeof settings>;

/** Throws ConfigError with every fault. */
export const loadConfig = (env: Environment): SetupConfig =>
  readConfig(settings, env, [
    (given) =>
      (given.SHOPSCOPE_CORPUS || 'demo') === 'demo' && !given.DEMO_STORES_URL
        ? ['DEMO_STORES_URL: is required when SHOPSCOPE_CORPUS is demo']
        : [],
  ]);
