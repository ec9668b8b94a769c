/**
 * The events between services: name, version, topic, key and encoding. Publishers and consumers share them. A change
 * that an old consumer could misinterpret needs a new version. It needs a new topic if both versions run together.
 */
import { dayMs } from '@shopscope/clock';
import { type Environment, nameIn } from '@shopscope/environment';
import { AllowanceThresholdReached } from '../gen/shopscope/events/v1/allowance_threshold_reached.ts';
import { GatewayAck } from '../gen/shopscope/events/v1/key_ack.ts';
import { KeyActivity } from '../gen/shopscope/events/v1/key_activity.ts';
import { KeyChanged } from '../gen/shopscope/events/v1/key_changed.ts';
import { ObservationCompleted } from '../gen/shopscope/events/v1/observation.ts';
import { ProfileUpdated } from '../gen/shopscope/events/v1/profile_updated.ts';
import { RefundRequested } from '../gen/shopscope/events/v1/refund_requested.ts';
import { RequestsCompleted } from '../gen/shopscope/events/v1/request_completed.ts';
import { ScanJobEnded } from '../gen/shopscope/events/v1/scan_job_ended.ts';
import { ScanRequested } from '../gen/shopscope/events/v1/scan_requested.ts';
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

export const usageRecorded = eventType('usage.recorded', 1, 'usage.v1', UsageRecorded, (e) => e.workspaceId);
export const scanRequested = eventType('scan.requested', 1, 'scan-requests.v1', ScanRequested, (e) => e.domain);
export const refundRequested = eventType(
  'refund.requested',
  1,
  'refund-requests.v1',
  RefundRequested,
  (e) => e.workspaceId,
);
export const scanJobEnded = eventType('scan-job.ended', 1, 'scan-jobs.v1', ScanJobEnded, (e) => e.workspaceId);
export const observationCompleted = eventType(
  'observation.completed',
  1,
  'observations.v1',
  ObservationCompleted,
  (e) => e.domain,
);
export const profileUpdated = eventType('profile.updated', 1, 'profile-updates.v1', ProfileUpdated, (e) => e.domain);
export const keyChanged = eventType('key.changed', 1, 'key-events.v1', KeyChanged, (e) => e.workspaceId || e.planSlug);
export const allowanceThresholdReached = eventType(
  'allowance.threshold-reached',
  1,
  'allowance-events.v1',
  AllowanceThresholdReached,
  (e) => e.workspaceId,
);
export const gatewayAck = eventType('gateway.ack', 1, 'key-acks.v1', GatewayAck, (e) => e.instanceId);
export const keyActivity = eventType('key.activity', 1, 'key-activity.v1', KeyActivity, (e) => e.workspaceId);
export const requestsCompleted = eventType(
  'requests.completed',
  1,
  'requests.v1',
  RequestsCompleted,
  (e) => e.workspaceId,
);

export const webhookStateChanged = eventType(
  'webhook.state-changed',
  1,
  'webhook-states.v1',
  WebhookStateChanged,
  (e) => e.workspaceId,
);

const workspaceEventIn = <E extends Environment>(environment: E) => ({
  environment,
  ...eventType(
    'workspace.event',
    1,
    nameIn(environment, 'workspace-events.v1', '-'),
    WorkspaceEvent,
    (e: WorkspaceEvent) => e.workspaceId,
  ),
});
/** The events of workspaces. Each environment has a topic of its own. */
export const workspaceEvent = { live: workspaceEventIn('live'), test: workspaceEventIn('test') };

/** The header with the permit of an observation (libs/ids/src/permit.ts). Dead letters keep it. */
export const permitHeader = 'permit';

const usageRetentionMs = 14 * dayMs;
/** How long metering knows an ended charge: twice the retention of its events covers consumer lag and replays. */
export const chargeRetentionMs = 2 * usageRetentionMs + 2 * dayMs;

/** The partitions and retention of every topic. The migrations of the services create the topics. */
export const topics = [
  { topic: usageRecorded.topic, partitions: 12, retentionMs: usageRetentionMs },
  { topic: scanRequested.topic, partitions: 6, retentionMs: 7 * dayMs },
  { topic: refundRequested.topic, partitions: 3, retentionMs: 14 * dayMs },
  { topic: scanJobEnded.topic, partitions: 6, retentionMs: 7 * dayMs },
  // The permit of an observation expires, so its publisher must not choose the time of the record.
  { topic: observationCompleted.topic, partitions: 6, retentionMs: 7 * dayMs, appendTime: true },
  { topic: profileUpdated.topic, partitions: 6, retentionMs: 7 * dayMs },
  { topic: keyChanged.topic, partitions: 3, retentionMs: 7 * dayMs },
  { topic: allowanceThresholdReached.topic, partitions: 3, retentionMs: 7 * dayMs },
  { topic: gatewayAck.topic, partitions: 1, retentionMs: dayMs },
  { topic: keyActivity.topic, partitions: 6, retentionMs: 7 * dayMs },
  { topic: workspaceEvent.live.topic, partitions: 6, retentionMs: 7 * dayMs },
  { topic: workspaceEvent.test.topic, partitions: 6, retentionMs: 7 * dayMs },
  { topic: webhookStateChanged.topic, partitions: 3, retentionMs: 7 * dayMs },
  // Three days are longer than a weekend, and they keep the largest topic small.
  { topic: requestsCompleted.topic, partitions: 6, retentionMs: 3 * dayMs },
] as const;

/** Returns the topics of these events. */
export const topicsOf = (...types: readonly Pick<EventType<never>, 'topic'>[]) =>
  topics.filter(({ topic }) => types.some((type) => type.topic === topic));
