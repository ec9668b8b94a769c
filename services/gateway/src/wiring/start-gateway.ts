import { withTimeout } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { probeTimeoutMs } from '@shopscope/grpc';
import { type RunningService, type ServiceShell, startShell } from '@shopscope/lifecycle';
import { usageRecorded } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import type { GatewayConfig } from '../config.ts';
import { bindEndpoints } from '../endpoints/bind-endpoints.ts';
import { operations as contract } from '../endpoints/endpoints.ts';
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

export interface GatewayOverrides {
  logger?: Logger;
  clock?: Clock;
  onFatal?: (error: unknown) => void;
  processMetrics?: boolean;
}

const stopTimeoutMs = 20_000;

/** Starts a gateway. A start step fails -> the resources created so far are stopped, the last one first, and the start rejects. */
export async function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<RunningService> {
  const { clock = systemClock, logger, processMetrics } = overrides;
  const shell = await startShell({ name: 'gateway', config, logger, processMetrics, stopTimeoutMs });
  const { registry, resources } = shell;
  const context: Context = { ...shell, config, clock, metrics: createMetrics(registry) };
  try {
    return await startParts(context, shell, overrides.onFatal);
  } catch (error) {
    await resources.stop();
    throw error;
  }
}

/** Creates all parts. Each part registers its cleanup; they are stopped in reverse order. */
async function startParts(
  context: Context,
  shell: ServiceShell,
  onFatal = (error: unknown) => shell.logger.fatal({ err: error }, 'the consumer of key events failed'),
): Promise<RunningService> {
  const { config, clock, logger, registry, resources } = context;
  const redises = await openRedises(context);
  const { kafka, producer, events, inFlight, turns } = openKafka(context);
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
        events.available &&
        withTimeout(kafka.endOffsets(usageRecorded.topic), probeTimeoutMs, 'Kafka did not respond to the probe', clock),
    },
    onChange: (dependency, isHealthy) =>
      logger[isHealthy ? 'info' : 'warn'](
        { dependency },
        isHealthy ? 'the dependency is available again' : 'the dependency is unavailable',
      ),
  });
  resources.onStop('health probes', () => health.stop());
  await health.probed;

  const deps = createDependencies(context, { peers, redises, events, turns, isDegraded: () => health.degraded });
  const { operations, ended } = bindEndpoints(contract, deps);
  // This cleanup runs after that of the HTTP servers, so no further handler starts.
  resources.onStop('handlers', ended);
  let isStopping = false;
  const servers = await startServers(context, {
    ...{ admission, accessLog, inFlight, balances: deps.balances, security: peers.security },
    ...{ authenticateKey: keyCache.authenticateKey, index: indexOperations(operations) },
    isDraining: () => shell.draining,
    isStopping: () => isStopping,
  });
  addGauges(registry, {
    cachedKeys: () => keyCache.authenticateKey.size,
    kafkaAvailable: () => events.available,
    anonymousConnections: () => servers.connections.size,
  });
  shell.markReady();
  keyCache.startServing();

  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await shell.drain();
    isStopping = true;
    await resources.stop();
  };
  return {
    name: 'gateway',
    httpUrl: `http://${host}:${servers.port}`,
    internalAddress: `${host}:${servers.internalPort}`,
    adminUrl: shell.adminUrl,
    pending: async () => inFlight.count,
    stop: () => (stopping ??= stop()),
  };
}
