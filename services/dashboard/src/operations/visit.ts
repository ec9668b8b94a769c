import type { Origin } from '@shopscope/telemetry';

/** What an operation knows of the request that it runs for. */
export interface Visit {
  headers: Headers;
  /** Network address of the person, for throttling and the audit log. */
  address: string;
  origin: Origin;
}
