/** A started service, for its main.ts, for tests and for the development environment. */
export interface RunningService {
  name: string;
  /** host:port of the gRPC server, if the service has one. */
  grpcAddress?: string;
  /** Base URL of the public HTTP server, if the service has one. */
  httpUrl?: string;
  /** host:port of the HTTP server for other services, if the service has one. */
  internalAddress?: string;
  adminUrl: string;
  /**
   * The number of unfinished pieces of work: unpublished outbox rows, unconsumed events, unfinished jobs. Tests wait until it
   * is zero in every service, instead of sleeping.
   */
  pending(): Promise<number>;
  /** 1. Ends readiness. 2. Accepts no new work. 3. Finishes work in progress. 4. Closes resources. A second call has no effect. */
  stop(): Promise<void>;
}
