import type { Environment } from '@shopscope/config';
import { loadConfig as gateway } from '@shopscope/gateway';
import { loadConfig as keys } from '@shopscope/keys';
import { loadConfig as metering } from '@shopscope/metering';
import { loadConfig as profiles } from '@shopscope/profiles';
import { loadConfig as scanScheduler } from '@shopscope/scan-scheduler';
import { loadConfig as scanner } from '@shopscope/scanner';

/** How each service reads its environment; each throws with every fault. */
export const serviceConfigs: Readonly<Record<string, (env: Environment) => object>> = {
  gateway,
  keys,
  metering,
  profiles,
  'scan-scheduler': scanScheduler,
  scanner,
};
