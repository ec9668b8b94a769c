import type { Connection, ConnectionPool } from '@opensearch-project/opensearch';
import { type PeriodicLoop, startPeriodicLoop, withTimeout } from '@shopscope/async';
import type { Clock } from '@shopscope/clock';
import { type Logger, metricsOf, type Registry } from '@shopscope/telemetry';

export interface HeartbeatOptions {
  pool: ConnectionPool;
  heartbeatMs: number;
  timeoutMs: number;
  logger: Logger;
  registry: Registry;
  clock: Clock;
}

export interface Heartbeat extends PeriodicLoop {
  /** Whether a node responded to the last heartbeat. */
  readonly available: boolean;
}

/**
 * Asks every node whether it is a member of a cluster with a manager, and tells the connection pool. By itself, the pool would not use a
 * node that failed once for a minute, and after more failures for half an hour.
 */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { pool, heartbeatMs, logger, registry, clock } = options;
  const gauge = metricsOf(registry).gauge(
    'opensearch_available',
    '1 while the node of OpenSearch responds and knows a cluster manager',
    ['node'],
  );
  let available = false;
  for (const { url } of pool.connections) gauge.set({ node: url.host }, 0);
  const ask = async (connection: Connection): Promise<boolean> => {
    const responds = await isAlive(connection, options);
    gauge.set({ node: connection.url.host }, responds ? 1 : 0);
    if (responds) pool.markAlive(connection);
    else if (connection.status === 'alive') pool.markDead(connection);
    return responds;
  };
  const loop = startPeriodicLoop({
    intervalMs: heartbeatMs,
    immediate: true,
    async run() {
      const state = (await Promise.all(pool.connections.map(ask))).includes(true);
      if (state !== available) logger[state ? 'info' : 'warn'](`opensearch ${state ? 'available' : 'unavailable'}`);
      available = state;
    },
    onError: (error) => logger.error({ err: error }, 'the heartbeat of opensearch failed'),
    clock,
  });
  return {
    ...loop,
    get available() {
      return available;
    },
  };
}

/** A node without a cluster manager responds with 503. Any other status, for example 403, is the answer of a member. */
async function isAlive(connection: Connection, { timeoutMs, clock }: HeartbeatOptions): Promise<boolean> {
  const responded = Promise.withResolvers<boolean>();
  const request = connection.request({ method: 'HEAD', path: '/' }, (_, response) => {
    response?.resume();
    responded.resolve(response !== null && (response.statusCode ?? 500) < 500);
  });
  try {
    // Also while the request waits for a socket, for which the client has no time limit.
    return await withTimeout(responded.promise, timeoutMs, 'the node does not respond', clock);
  } catch {
    request.destroy();
    return false;
  }
}
