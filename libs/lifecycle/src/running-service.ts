/** A service that has started, as its main.ts, tests and the development environment hold it. */
export interface RunningService {
  name: string;
  /** host:port of the gRPC server, when there is one. */
  grpcAddress?: string;
  /** Base URL of the public HTTP server, when there is one. */
  httpUrl?: string;
  adminUrl: string;
  /**
   * How many pieces of work are still on their way inside the service (unpublished outbox rows, unconsumed events, live
   * jobs). Tests wait for zero everywhere instead of sleeping.
   */
  pending(): Promise<number>;
  /** Not ready first, then no new work, then work in hand ends, then resources close in reverse order. Idempotent. */
  stop(): Promise<void>;
}
