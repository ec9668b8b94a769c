/**
 * The events between services: name, version, topic, key and encoding. Publishers and consumers share them. A change
 * that an old consumer could misinterpret needs a new version. It needs a new topic if both versions run together.
 */
import { dayMs } from '@shopscope/clock';
import { type Environment, type Handles, nameIn } from '@shopscope/environment';
import { AllowanceThresholdReached } from '../gen/shopscope/events/v1/allowance_threshold_reached.ts';
import { GatewayAck } from '../gen/shopscope/events/v1/key_ack.ts';
import { KeyActivity } from '../gen/shopscope/events/v1/key_activity.ts';
import { KeyChanged } from '../gen/shopscope/events/v1/key_changed.ts';
import { ObservationCompleted } from '../gen/shopscope/events/v1/observation.ts';
import { OptOutChanged } from '../gen/shopscope/events/v1/opt_out_changed.ts';
import { ProfileUpdated } from '../gen/shopscope/events/v1/profile_updated.ts';
import { RefundRequested } from '../gen/shopscope/events/v1/refund_requested.ts';
import { RequestsCompleted } from '../gen/shopscope/events/v1/request_completed.ts';
import { ScanJobEnded } from '../gen/shopscope/events/v1/scan_job_ended.ts';
import { ScanRequested } from '../gen/shopscope/events/v1/scan_requested.ts';
import { TestScanCompleted } from '../gen/shopscope/events/v1/test_scan_completed.ts';
import { UsageRecorded } from '../gen/shopscope/events/v1/usage.ts';
import { WebhookStateChanged } from '../gen/shopscope/events/v1/webhook_state_changed.ts';
import { WorkspaceEvent } from '../gen/shopscope/events/v1/workspace_event.ts';

export interface EventType<T> {
  name: string;
  version: number;
  topic: string;
  encode(event: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  key(event: T): string;
}

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

function eventType<T>(name: string, version: number, topic: string, codec: Codec<T>, key: (e: T) => string) {
  return {
    name,
    version,
    topic,
    encode: (event: T) => codec.encode(event).finish(),
    decode: (bytes: Uint8Array) => codec.decode(bytes),
    key,
  } satisfies EventType<T>;
}

/** Returns the type of an event in each environment. Test events have a topic of their own. */
const inEachEnvironment = <T>(
  name: string,
  version: number,
  topic: string,
  codec: Codec<T>,
  key: (e: T) => string,
): { [E in Environment]: EventType<T> & Handles<E> } => {
  const of = <E extends Environment>(environment: E) => ({
    environment,
    ...eventType(name, version, nameIn(environment, topic, '-'), codec, key),
  });
  return { live: of('live'), test: of('test') };
};

export const usageRecorded = inEachEnvironment('usage.recorded', 1, 'usage.v1', UsageRecorded, (e) => e.workspaceId);
export const scanRequested = inEachEnvironment('scan.requested', 1, 'scan-requests.v1', ScanRequested, (e) => e.domain);
export const refundRequested = inEachEnvironment(
  'refund.requested',
  1,
  'refund-requests.v1',
  RefundRequested,
  (e) => e.workspaceId,
);
export const scanJobEnded = inEachEnvironment('scan-job.ended', 1, 'scan-jobs.v1', ScanJobEnded, (e) => e.workspaceId);
/** The result of a visit to a store's web site. Test scans visit nothing: see {@link testScanCompleted}. */
export const observationCompleted = eventType(
  'observation.completed',
  1,
  'observations.v1',
  ObservationCompleted,
  (e) => e.domain,
);
/** The end of a simulated scan of the test tenant. */
export const testScanCompleted = eventType(
  'test-scan.completed',
  1,
  'test-observations.v1',
  TestScanCompleted,
  (e) => e.workspaceId,
);
export const profileUpdated = inEachEnvironment(
  'profile.updated',
  1,
  'profile-updates.v1',
  ProfileUpdated,
  (e) => e.domain,
);
/** Live only: the stores of the test tenant are no one's sites. */
export const optOutChanged = eventType('opt-out.changed', 1, 'opt-outs.v1', OptOutChanged, (e) => e.subject);
export const keyChanged = eventType('key.changed', 1, 'key-events.v1', KeyChanged, (e) => e.workspaceId || e.planSlug);
export const allowanceThresholdReached = inEachEnvironment(
  'allowance.threshold-reached',
  1,
  'allowance-events.v1',
  AllowanceThresholdReached,
  (e) => e.workspaceId,
);
export const gatewayAck = eventType('gateway.ack', 1, 'key-acks.v1', GatewayAck, (e) => e.instanceId);
export const keyActivity = eventType('key.activity', 1, 'key-activity.v1', KeyActivity, (e) => e.workspaceId);
export const requestsCompleted = inEachEnvironment(
  'requests.completed',
  1,
  'requests.v1',
  RequestsCompleted,
  (e) => e.workspaceId,
);
export const webhookStateChanged = inEachEnvironment(
  'webhook.state-changed',
  1,
  'webhook-states.v1',
  WebhookStateChanged,
  (e) => e.workspaceId,
);
/** The events of workspaces. */
export const workspaceEvent = inEachEnvironment(
  'workspace.event',
  1,
  'workspace-events.v1',
  WorkspaceEvent,
  (e) => e.workspaceId,
);

/** The header with the permit of an observation (libs/ids/src/permit.ts). Dead letters keep it. */
export const permitHeader = 'permit';

const usageRetentionMs = 14 * dayMs;
/** How long metering knows an ended charge: twice the retention of its events covers consumer lag and replays. */
export const chargeRetentionMs = 2 * usageRetentionMs + 2 * dayMs;

/** Returns the topic of each environment. */
const topicsInEachEnvironment = (
  { live, test }: { live: { topic: string }; test: { topic: string } },
  { partitions, retentionMs }: { partitions: number; retentionMs: number },
) => [
  { topic: live.topic, partitions, retentionMs },
  { topic: test.topic, partitions: testPartitions, retentionMs },
];
/** The limits of the plans bound the events of test keys, and nobody waits for many of them. */
const testPartitions = 1;

/** The partitions and retention of every topic. The migrations of the services create the topics. */
export const topics = [
  ...topicsInEachEnvironment(usageRecorded, { partitions: 12, retentionMs: usageRetentionMs }),
  ...topicsInEachEnvironment(scanRequested, { partitions: 6, retentionMs: 7 * dayMs }),
  ...topicsInEachEnvironment(refundRequested, { partitions: 3, retentionMs: 14 * dayMs }),
  ...topicsInEachEnvironment(scanJobEnded, { partitions: 6, retentionMs: 7 * dayMs }),
  // The permit of an observation expires, so its publisher must not choose the time of the record.
  { topic: observationCompleted.topic, partitions: 6, retentionMs: 7 * dayMs, appendTime: true },
  { topic: testScanCompleted.topic, partitions: testPartitions, retentionMs: 7 * dayMs },
  ...topicsInEachEnvironment(profileUpdated, { partitions: 6, retentionMs: 7 * dayMs }),
  { topic: optOutChanged.topic, partitions: 1, retentionMs: 14 * dayMs },
  { topic: keyChanged.topic, partitions: 3, retentionMs: 7 * dayMs },
  ...topicsInEachEnvironment(allowanceThresholdReached, { partitions: 3, retentionMs: 7 * dayMs }),
  { topic: gatewayAck.topic, partitions: 1, retentionMs: dayMs },
  { topic: keyActivity.topic, partitions: 6, retentionMs: 7 * dayMs },
  ...topicsInEachEnvironment(workspaceEvent, { partitions: 6, retentionMs: 7 * dayMs }),
  ...topicsInEachEnvironment(webhookStateChanged, { partitions: 3, retentionMs: 7 * dayMs }),
  // Three days are longer than a weekend, and they keep the largest topic small.
  ...topicsInEachEnvironment(requestsCompleted, { partitions: 6, retentionMs: 3 * dayMs }),
];

/** Returns the topics of these events. */
export const topicsOf = (...types: readonly Pick<EventType<never>, 'topic'>[]) =>
  topics.filter(({ topic }) => types.some((type) => type.topic === topic));
