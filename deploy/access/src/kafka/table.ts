import {
  allowanceThresholdReached,
  gatewayAck,
  keyActivity,
  keyChanged,
  observationCompleted,
  optOutChanged,
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
  'search',
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

type InEachEnvironment = Readonly<Record<'live' | 'test', { topic: string }>>;
const topicsOf = ({ live, test }: InEachEnvironment) => [live.topic, test.topic];
const inEachEnvironment = (event: InEachEnvironment, group: string): Consumption[] =>
  topicsOf(event).map((topic) => ({ topic, group }));

export const kafkaAccess: Record<ServiceName, KafkaAccess> = {
  gateway: {
    publishes: [
      ...topicsOf(usageRecorded),
      ...topicsOf(scanRequested),
      gatewayAck.topic,
      keyActivity.topic,
      ...topicsOf(requestsCompleted),
    ],
    consumes: [{ topic: keyChanged.topic, group: 'gateway-keys.', perInstance: true }],
  },
  keys: { publishes: [keyChanged.topic], consumes: [{ topic: keyActivity.topic, group: 'keys' }] },
  profiles: {
    publishes: [...topicsOf(profileUpdated)],
    consumes: [
      { topic: observationCompleted.topic, group: 'profiles' },
      { topic: testScanCompleted.topic, group: 'profiles' },
      { topic: optOutChanged.topic, group: 'profiles' },
      { topic: keyChanged.topic, group: 'profiles' },
    ],
  },
  metering: {
    publishes: [...topicsOf(allowanceThresholdReached)],
    consumes: [
      ...inEachEnvironment(usageRecorded, 'metering'),
      ...inEachEnvironment(refundRequested, 'metering-refunds'),
      { topic: keyChanged.topic, group: 'metering-refunds' },
    ],
  },
  'scan-scheduler': {
    publishes: [...topicsOf(refundRequested), ...topicsOf(scanJobEnded), testScanCompleted.topic, optOutChanged.topic],
    consumes: [
      ...inEachEnvironment(scanRequested, 'scan-scheduler'),
      ...inEachEnvironment(profileUpdated, 'scan-scheduler'),
      { topic: keyChanged.topic, group: 'scan-scheduler' },
    ],
    watches: [{ topic: observationCompleted.topic, group: 'profiles' }],
  },
  scanner: { publishes: [observationCompleted.topic], consumes: [] },
  search: { publishes: [], consumes: [{ topic: profileUpdated.live.topic, group: 'search' }] },
  dashboard: {
    publishes: [],
    consumes: [
      { topic: gatewayAck.topic, group: 'dashboard-acks.', perInstance: true },
      { topic: keyActivity.topic, group: 'dashboard' },
      ...inEachEnvironment(requestsCompleted, 'dashboard-requests'),
      { topic: webhookStateChanged.live.topic, group: 'dashboard-webhooks' },
    ],
  },
  subscriptions: {
    publishes: [...topicsOf(usageRecorded), ...topicsOf(scanRequested), ...topicsOf(workspaceEvent)],
    consumes: [
      ...inEachEnvironment(scanJobEnded, 'subscriptions'),
      ...inEachEnvironment(allowanceThresholdReached, 'subscriptions'),
      { topic: keyChanged.topic, group: 'subscriptions' },
      ...inEachEnvironment(profileUpdated, 'subscriptions'),
      ...inEachEnvironment(webhookStateChanged, 'subscriptions'),
    ],
  },
  webhooks: {
    publishes: [...topicsOf(webhookStateChanged)],
    consumes: [...inEachEnvironment(workspaceEvent, 'webhooks'), { topic: keyChanged.topic, group: 'webhooks' }],
  },
};

/** The user that publishes dead letters again, by an operator's command. No service uses it. */
export const replayer = 'replay-dead-letters';
