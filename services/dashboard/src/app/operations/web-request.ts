import type { Origin } from '@shopscope/telemetry';

/** What an operation knows of the HTTP request that it runs for. The person may be signed out. */
export interface WebRequest {
  headers: Headers;
  /** Network address of the person, for throttling and the audit log. */
  address: string;
  origin: Origin;
}
