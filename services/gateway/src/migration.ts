import type { Migration } from '@shopscope/lifecycle';
import {
  gatewayAck,
  keyActivity,
  keyChanged,
  requestsCompleted,
  scanRequested,
  topicsOf,
  usageRecorded,
} from '@shopscope/proto';

/** What this service needs in the data servers. */
export const migration: Migration = {
  topics: topicsOf(
    gatewayAck,
    keyActivity,
    keyChanged,
    ...[requestsCompleted, scanRequested, usageRecorded].flatMap(({ live, test }) => [live, test]),
  ),
};
