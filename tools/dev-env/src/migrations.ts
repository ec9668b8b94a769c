import { migration as dashboard } from '@shopscope/dashboard';
import { migration as gateway } from '@shopscope/gateway';
import { migration as keys } from '@shopscope/keys';
import type { Migration } from '@shopscope/lifecycle';
import { migration as metering } from '@shopscope/metering';
import { migration as profiles } from '@shopscope/profiles';
import { migration as scanScheduler } from '@shopscope/scan-scheduler';
import { migration as scanner } from '@shopscope/scanner';
import { migration as search } from '@shopscope/search';
import { migration as subscriptions } from '@shopscope/subscriptions';
import { migration as webhooks } from '@shopscope/webhooks';

/** The migration of each service. Their order does not matter. */
export const migrations: Readonly<Record<string, Migration>> = {
  gateway,
  keys,
  profiles,
  metering,
  'scan-scheduler': scanScheduler,
  scanner,
  search,
  dashboard,
  subscriptions,
  webhooks,
};
