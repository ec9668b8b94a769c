import type { Clock } from '@shopscope/clock';
import type { CleanupStack } from '@shopscope/lifecycle';
import type { Logger, Registry } from '@shopscope/telemetry';
import type { GatewayConfig } from '../config.ts';
import type { GatewayMetrics } from '../metrics.ts';

/** The context in which the parts of the gateway are created. Each part registers the cleanup of its resources in `resources`. */
export interface Context {
  config: GatewayConfig;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  resources: CleanupStack;
  metrics: GatewayMetrics;
}
