import type { Environment } from '@shopscope/environment';
import type { ConsumeOptions } from '@shopscope/kafka';
import type { Dependencies, EveryEnvironment } from '../../operations/dependencies.ts';
import { thresholdReachedSubscription } from './allowance-threshold-reached.ts';
import { keyChangedSubscription } from './key-changed.ts';
import { profileUpdatedSubscription, testProfileUpdatedSubscription } from './profile-updated.ts';
import { scanJobEndedSubscription } from './scan-job-ended.ts';
import { webhookStateSubscription } from './webhook-state-changed.ts';

type Consumed = ConsumeOptions['subscriptions'];

/** Everything that the service consumes, in one group. Each environment has topics of its own, except for keys. */
export const subscriptionsOf = (every: EveryEnvironment, fanOuts: { onQueued(): void }): Consumed => [
  keyChangedSubscription(every),
  profileUpdatedSubscription(every.live, fanOuts),
  testProfileUpdatedSubscription(every.test),
  ...factsOf(every.live),
  ...factsOf(every.test),
];

const factsOf = <E extends Environment>(deps: Dependencies<E>): Consumed => [
  scanJobEndedSubscription(deps),
  thresholdReachedSubscription(deps),
  webhookStateSubscription(deps),
];
