import type { Answer } from '../client.ts';
import type { Ask } from './asker.ts';
import type { Tenant } from './tenant.ts';

/** One operation of the contract in the isolation matrix. */
export interface HttpRow {
  /** Why all workspaces may get the same response. Absent where the response is the workspace's own. */
  sharedBecause?: string;
  /** Whether the requests have a test key. Live keys do not have the operation. */
  isOfTestKeys?: true;
  /** Requests in addition to those that every operation gets. The first one is an ordinary request. */
  asks(own: Tenant, other: Tenant): Ask[];
  /** Assertions about the responses, in addition to the absence of the other workspace's data. */
  expect?(answers: Answer[], own: Tenant, other: Tenant): void;
}
