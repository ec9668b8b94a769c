import { withTimeout } from '@shopscope/async';
import { probeTimeoutMs } from '@shopscope/grpc';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import { usageRecorded } from '@shopscope/proto';
import type { GatewayConfig } from '../config.ts';
import { bindEndpoints } from '../endpoints/bind-endpoints.ts';
import { operations as contract } from '../endpoints/endpoints.ts';
import { createWaitingRequests } from '../endpoints/events/waiting-requests.ts';
import { indexOperations } from '../http/operation-index.ts';
import { addGauges, createMetrics } from '../metrics.ts';
import { connectPeers } from './connect-peers.ts';
import type { Context } from './context.ts';
import { createDependencies } from './create-dependencies.ts';
import { watchHealth } from './health-probes.ts';
import { openKafka } from './open-kafka.ts';
import { openRedises } from './open-redis.ts';
import { startKeyCache } from './start-key-cache.ts';
import { startLimits } from './start-limits.ts';
import { startLog } from './start-log.ts';
import { startServers } from './start-servers.ts';

const stopTimeoutMs = 20_000;

/** The composition root. Each part registers the cleanup of its resources. The resources are stopped in reverse order. */
export const startGateway = (config: GatewayConfig, overrides: ServiceOverrides = {}): Promise<RunningService> =>
  startService({ name: 'gateway', config, stopTimeoutMs }, overrides, async (parts) => {
    const { clock, logger, registry, resources, onFatal } = parts;
    const context: Context = { clock, logger, registry, resources, config, metrics: createMetrics(registry) };
    const redises = await openRedises(context);
    const { kafka, producers, inFlight, turns } = openKafka(context);
    const { live: producer } = producers;
    const peers = connectPeers(context);
    const admission = await startLimits(context, redises);
    const keyCache = await startKeyCache(context, { keys: peers.keys, kafka, producer, onFatal });
    const accessLog = startLog(context, kafka, keyCache.activity);

    const health = watchHealth({
      clock,
      probes: {
        ...peers.probes,
        ...redises.probes,
        kafka: () =>
          producer.available &&
          withTimeout(
            kafka.endOffsets(usageRecorded.live.topic),
            probeTimeoutMs,
            'Kafka did not respond to the probe',
            clock,
          ),
      },
      onChange: (dependency, isHealthy) =>
        logger[isHealthy ? 'info' : 'warn'](
          { dependency },
          isHealthy ? 'the dependency is available again' : 'the dependency is unavailable',
        ),
    });
    resources.onStop('health probes', () => health.stop());
    await health.probed;

    const waiting = createWaitingRequests();
    const isDegraded = () => health.degraded;
    const deps = createDependencies(context, peers, redises, { producers, turns, waiting, isDegraded });
    const { operations, ended } = bindEndpoints(contract, deps);
    // This cleanup runs after the cleanup of the HTTP servers, so no further handler starts.
    resources.onStop('handlers', ended);
    let isStopping = false;
    const servers = await startServers(context, {
      admission,
      accessLog,
      inFlight,
      balances: {
        remaining: (caller, origin) => deps[caller.keyEnvironment].balances.remaining(caller, origin),
      },
      security: peers.security,
      authenticateKey: keyCache.authenticateKey,
      index: indexOperations(operations),
      isDraining: () => parts.draining,
      isStopping: () => isStopping,
    });
    addGauges(registry, {
      cachedKeys: () => keyCache.authenticateKey.size,
      kafkaAvailable: () => producer.available,
      anonymousConnections: () => servers.connections.size,
    });
    resources.onStop('new requests', () => {
      isStopping = true;
      waiting.stop();
    });
    parts.markReady();
    keyCache.startServing();

    const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST;
    return {
      httpUrl: `http://${host}:${servers.port}`,
      internalAddress: `${host}:${servers.internalPort}`,
      pending: async () => inFlight.count,
    };
  });
