import type { ServiceName } from '@shopscope/local';
import type { RedisForm } from '@shopscope/local-stack';

/**
 * The forms of the system, in the order in which the bench runs them:
 *
 * - `single`: one node of each data server, OpenSearch included, and a link for every connection. Scenarios that name no form use it.
 * - `rolling`: no links, and two instances of every service except the dashboard.
 * - `sentinel`, `cluster`: no links, and three nodes of MongoDB and Kafka. Redis has a replica and sentinels, or is a cluster.
 */
export const systemForms = ['single', 'rolling', 'sentinel', 'cluster'] as const;
export type SystemForm = (typeof systemForms)[number];

export interface FormOptions {
  /** Whether processes connect through links. Without links no connection can be cut, and Go is not needed. */
  withLinks: boolean;
  /** Whether OpenSearch and search run. */
  withSearch: boolean;
  replicas: Partial<Record<ServiceName, number>>;
  /** The form of Redis in a stack of three nodes. Without it each server has one node. */
  redisForm?: RedisForm;
  env?: Record<string, string>;
}

/** The services of which two instances run. */
const replicas = { gateway: 2, metering: 2, scanner: 2 };

export const formOptions: Readonly<Record<SystemForm, FormOptions>> = {
  single: { withLinks: true, withSearch: true, replicas },
  rolling: {
    withLinks: false,
    withSearch: false,
    replicas: { ...replicas, keys: 2, profiles: 2, 'scan-scheduler': 2 },
    // All clients share one address, and send the revoked key more often than an address may send refused keys by default.
    env: { DRAIN_DELAY_MS: '2500', AUTH_FAILURES_PER_MINUTE: '100000' },
  },
  sentinel: { withLinks: false, withSearch: false, replicas, redisForm: 'sentinel' },
  cluster: { withLinks: false, withSearch: false, replicas, redisForm: 'cluster' },
};
