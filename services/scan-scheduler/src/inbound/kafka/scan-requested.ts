import type { Environment } from '@shopscope/environment';
import type { Subscription } from '@shopscope/kafka';
import { type ScanRequested, scanRequested } from '@shopscope/proto';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import type { Requested } from '../../operations/queue-jobs.ts';
import { requestScans, requestTestScans } from '../../operations/request-scans.ts';
import { decodeUnit } from '../grpc/encode.ts';
import { requireEnvironment } from './require-environment.ts';

/** Consumes scan-requests.v1 of each environment. */
export const scanRequestedSubscriptions = ({ live, test }: EveryEnvironment): Subscription<ScanRequested>[] => [
  subscriptionOf('live', (requested) => requestScans(live, requested)),
  subscriptionOf('test', (requested) => requestTestScans(test, requested)),
];

const subscriptionOf = (
  environment: Environment,
  request: (requested: readonly Requested[]) => Promise<void>,
): Subscription<ScanRequested> => ({
  type: scanRequested[environment],
  handle(events) {
    requireEnvironment(environment, events);
    return request(
      events.map(({ event, meta: origin }) => ({ request: { ...event, unit: decodeUnit(event.unit) }, origin })),
    );
  },
});
