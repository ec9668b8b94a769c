import type { Environment } from '@shopscope/config';
import { loadConfig as dashboard } from '@shopscope/dashboard';
import { loadConfig as gateway } from '@shopscope/gateway';
import { loadConfig as keys } from '@shopscope/keys';
import { loadConfig as metering } from '@shopscope/metering';
import { loadConfig as profiles } from '@shopscope/profiles';
import { loadConfig as scanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as scanner } from '@shopscope/scanner';
import { loadConfig as search } from '@shopscope/search';
import { loadConfig as subscriptions } from '@shopscope/subscriptions';
import { loadConfig as webhooks } from '@shopscope/webhooks';

/** The configuration code of each service. Each throws an error that lists every problem. */
export const serviceConfigs: Readonly<Record<string, (env: Environment) => object>> = {
  dashboard,
  gateway,
  keys,
  metering,
  profiles,
  'scan-scheduler': scanScheduler,
  scanner,
  search,
  subscriptions,
  webhooks,
};
