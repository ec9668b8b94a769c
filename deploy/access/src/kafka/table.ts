import {
  allowanceThresholdReached,
  gatewayAck,
  keyActivity,
  keyChanged,
  observationCompleted,
  profileUpdated,
  refundRequested,
  requestsCompleted,
  scanJobEnded,
  scanRequested,
  testScanCompleted,
  usageRecorded,
  webhookStateChanged,
  workspaceEvent,
} from '@shopscope/proto';

/** The services. Each uses this name as its user in Kafka, MongoDB and Redis. */
export const services = [
  'gateway',
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'scanner',
  'dashboard',
  'subscriptions',
  'webhooks',
] as const;
export type ServiceName = (typeof services)[number];

/**
 * The topics that each service publishes and consumes. All rights of a service in Kafka follow from its row (grants.ts).
 * A cluster with these ACLs refuses everything else.
 */
export interface KafkaAccess {
  publishes: readonly string[];
  consumes: readonly Consumption[];
  /** Topics and groups of other services whose offsets this service sees. It can neither read the topic nor join the group. */
  watches?: readonly { topic: string; group: string }[];
}

export interface Consumption {
  topic: string;
  /** The group. With `perInstance`: the prefix of the instances' groups. */
  group: string;
  perInstance?: true;
}

export const kafkaAccess: Record<ServiceName, KafkaAccess> = {
  gateway: {
    publishes: [
      usageRecorded.live.topic,
      scanRequested.live.topic,
      gatewayAck.topic,
      keyActivity.topic,
      requestsCompleted.live.topic,
    ],
    consumes: [{ topic: keyChanged.topic, group: 'gateway-keys.', perInstance: true }],
  },
  keys: { publishes: [keyChanged.topic], consumes: [{ topic: keyActivity.topic, group: 'keys' }] },
  profiles: {
    publishes: [profileUpdated.live.topic],
    consumes: [{ topic: observationCompleted.topic, group: 'profiles' }],
  },
  metering: {
    publishes: [allowanceThresholdReached.live.topic],
    consumes: [
      { topic: usageRecorded.live.topic, group: 'metering' },
      { topic: refundRequested.live.topic, group: 'metering-refunds' },
    ],
  },
  'scan-scheduler': {
    publishes: [
      refundRequested.live.topic,
      refundRequested.test.topic,
      scanJobEnded.live.topic,
      scanJobEnded.test.topic,
      testScanCompleted.topic,
    ],
    consumes: [
      { topic: scanRequested.live.topic, group: 'scan-scheduler' },
      { topic: scanRequested.test.topic, group: 'scan-scheduler' },
      { topic: profileUpdated.live.topic, group: 'scan-scheduler' },
      { topic: profileUpdated.test.topic, group: 'scan-scheduler' },
    ],
    watches: [{ topic: observationCompleted.topic, group: 'profiles' }],
  },
  scanner: { publishes: [observationCompleted.topic], consumes: [] },
  dashboard: {
    publishes: [],
    consumes: [
      { topic: gatewayAck.topic, group: 'dashboard-acks.', perInstance: true },
      { topic: keyActivity.topic, group: 'dashboard' },
      { topic: requestsCompleted.live.topic, group: 'dashboard-requests' },
      { topic: webhookStateChanged.live.topic, group: 'dashboard-webhooks' },
    ],
  },
  subscriptions: {
    publishes: [
      usageRecorded.live.topic,
      scanRequested.live.topic,
      workspaceEvent.live.topic,
      workspaceEvent.test.topic,
    ],
    consumes: [
      { topic: scanJobEnded.live.topic, group: 'subscriptions' },
      { topic: allowanceThresholdReached.live.topic, group: 'subscriptions' },
      { topic: keyChanged.topic, group: 'subscriptions' },
      { topic: profileUpdated.live.topic, group: 'subscriptions' },
      { topic: webhookStateChanged.live.topic, group: 'subscriptions' },
    ],
  },
  webhooks: {
    publishes: [webhookStateChanged.live.topic],
    consumes: [
      { topic: workspaceEvent.live.topic, group: 'webhooks' },
      { topic: workspaceEvent.test.topic, group: 'webhooks' },
      { topic: keyChanged.topic, group: 'webhooks' },
    ],
  },
};

/** The user that publishes dead letters again, by an operator's command. No service uses it. */
export const replayer = 'replay-dead-letters';
