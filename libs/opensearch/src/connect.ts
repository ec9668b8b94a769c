import { Client } from '@opensearch-project/opensearch';
import { type Clock, systemClock } from '@shopscope/clock';
import type { Logger, Registry } from '@shopscope/telemetry';
import { BoundedConnection } from './connection.ts';
import { startHeartbeat } from './heartbeat.ts';
import { measureRequests } from './request-metrics.ts';

/**
 * A client of OpenSearch.
 *
 * - A node fails, stops in the middle of a response or has no cluster manager -> the request is sent again, at most twice, to other nodes if
 *   there are any. A heartbeat excludes the node within four seconds and includes it again when it responds.
 * - No node responds -> requests fail at once; `available` is false.
 * - A node sends nothing -> requests fail after their time limit and are not sent again.
 * - A request is sent again -> it may be executed twice. Writes need a version or an id.
 * - Errors of the client become errors of services by `fromOpenSearch`.
 */
export interface OpenSearch {
  client: Client;
  /** Names of indexes, aliases and templates begin with it. */
  indexPrefix: string;
  /** False while no node responds. Reading it is cheap enough for a readiness check. */
  readonly available: boolean;
  /** Waits for requests in progress, within their time limits. */
  close(): Promise<void>;
}

export interface OpenSearchOptions {
  /** The URL of each node, with http or https. */
  nodes: readonly string[];
  credentials?: { username: string; password: string };
  /** For https, as PEM: the trusted authorities, and the certificate of this client for servers that request it. */
  tls?: { ca?: string; cert?: string; key?: string };
  indexPrefix: string;
  logger: Logger;
  registry: Registry;
  /** The longest time without a byte of the response. Default 10,000. */
  requestTimeoutMs?: number;
  /** Default 1,000. */
  heartbeatMs?: number;
  clock?: Clock;
}

const maxRetries = 2;
/** Further requests to a node wait for one of these. */
const maxSocketsPerNode = 64;
/** Longer than a garbage collection of a node. */
const heartbeatTimeoutMs = 3_000;

/** Does not wait for OpenSearch. Without it, services start and answer `unavailable`. */
export function connectOpenSearch(options: OpenSearchOptions): OpenSearch {
  const {
    logger,
    registry,
    indexPrefix,
    requestTimeoutMs = 10_000,
    heartbeatMs = 1_000,
    clock = systemClock,
  } = options;
  const client = new Client({
    nodes: [...options.nodes],
    ...(options.credentials && { auth: options.credentials }),
    ...(options.tls && { ssl: options.tls }),
    Connection: BoundedConnection,
    agent: { keepAlive: true, maxSockets: maxSocketsPerNode, maxFreeSockets: maxSocketsPerNode },
    requestTimeout: requestTimeoutMs,
    maxRetries,
    // The heartbeat does it.
    resurrectStrategy: 'none',
  });
  measureRequests(client, registry, clock);
  const pool = client.connectionPool;
  const heartbeat = startHeartbeat({ pool, heartbeatMs, timeoutMs: heartbeatTimeoutMs, logger, registry, clock });
  return {
    client,
    indexPrefix,
    get available() {
      return heartbeat.available;
    },
    async close() {
      await heartbeat.stop();
      await client.close();
    },
  };
}
