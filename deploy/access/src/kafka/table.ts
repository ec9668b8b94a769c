import { keyChanged, observationCompleted, profileUpdated, scanRequested, usageRecorded } from '@shopscope/proto';
import type { ServiceName } from '../services.ts';

/**
 * Who publishes and who consumes what. Everything that a service may do in Kafka follows from its row (grants.ts); what
 * stands nowhere here is refused by a cluster with the ACLs.
 */
export interface KafkaAccess {
  /** Topics. */
  publishes: readonly string[];
  consumes: readonly Consumption[];
}

export interface Consumption {
  topic: string;
  /** The group, or what the groups of single instances begin with. */
  group: string;
  perInstance?: true;
}

export const kafkaAccess: Record<ServiceName, KafkaAccess> = {
  gateway: {
    publishes: [usageRecorded.topic, scanRequested.topic],
    consumes: [{ topic: keyChanged.topic, group: 'gateway-keys.', perInstance: true }],
  },
  keys: { publishes: [keyChanged.topic], consumes: [] },
  profiles: {
    publishes: [profileUpdated.topic],
    consumes: [{ topic: observationCompleted.topic, group: 'profiles' }],
  },
  metering: { publishes: [], consumes: [{ topic: usageRecorded.topic, group: 'metering' }] },
  'scan-scheduler': {
    publishes: [],
    consumes: [
      { topic: scanRequested.topic, group: 'scan-scheduler' },
      { topic: profileUpdated.topic, group: 'scan-scheduler' },
    ],
  },
  scanner: { publishes: [observationCompleted.topic], consumes: [] },
};

/** Publishes dead letters again, by an operator's command and never in a service. */
export const replayer = 'replay-dead-letters';
