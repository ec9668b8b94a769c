import { dashboardScenarios } from './dashboard.ts';
import { gatewayScenarios } from './gateway.ts';
import { kafkaNodeScenarios } from './kafka-nodes.ts';
import { mongodbNodeScenarios } from './mongodb-nodes.ts';
import { greedyNeighbour } from './neighbour.ts';
import { redisNodeScenarios } from './redis-nodes.ts';
import { rolling } from './rolling.ts';
import { rollingNodeScenarios } from './rolling-nodes.ts';
import type { Scenario } from './scenario.ts';
import { searchScenarios } from './search.ts';
import { serviceScenarios } from './services.ts';
import { stackScenarios } from './stack.ts';
import { subscriptionsScenarios } from './subscriptions.ts';
import { twoAtATime } from './two-at-a-time.ts';
import { webhooksScenarios } from './webhooks.ts';

/** All scenarios, in the order of the table. */
export const scenarios: readonly Scenario[] = [
  ...gatewayScenarios,
  ...serviceScenarios,
  ...subscriptionsScenarios,
  ...webhooksScenarios,
  ...searchScenarios,
  ...dashboardScenarios,
  ...stackScenarios,
  ...mongodbNodeScenarios,
  ...kafkaNodeScenarios,
  ...redisNodeScenarios,
  ...rollingNodeScenarios,
  greedyNeighbour,
  rolling,
  twoAtATime,
];

export function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (!scenario) throw new Error(`there is no fault ${name}; there are ${scenarios.map((s) => s.name).join(', ')}`);
  return scenario;
}

export type { Scenario } from './scenario.ts';
