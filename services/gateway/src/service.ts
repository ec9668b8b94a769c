import { withTimeout } from '@shopscope/async';
import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, redisOptions } from '@shopscope/config';
import { openGrpcSecurity } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { type RunningService, startShell } from '@shopscope/lifecycle';
import { usageRecorded } from '@shopscope/proto';
import { createRedis } from '@shopscope/redis';
import type { Logger } from '@shopscope/telemetry';
import type { GatewayConfig } from './config.ts';
import { operations as contract } from './contract/operations.ts';
import { createReadClientAddress } from './domain/client-address.ts';
import { closeServer, listen } from './inbound/http/listen.ts';
import { indexOperations } from './inbound/http/operation-index.ts';
import { createReportExchange } from './inbound/http/report-exchange.ts';
import { createRoutes } from './inbound/http/routes/create-routes.ts';
import { createSendReply } from './inbound/http/send-reply.ts';
import { createHttpServer, requestEvents } from './inbound/http/server.ts';
import { listenToKeyEvents } from './inbound/kafka/listen-to-key-events.ts';
import { createMetrics } from './metrics.ts';
import { createOperations } from './operations/create-operations.ts';
import { createPeers } from './outbound/grpc/create-peers.ts';
import { probeTimeoutMs, watchHealth } from './outbound/health-probes.ts';
import { createEventPublisher } from './outbound/kafka/events.ts';
import { createRedisCircuitBreaker } from './outbound/redis/redis-circuit-breaker.ts';

export interface GatewayOverrides {
  logger?: Logger;
  clock?: Clock;
  onFatal?: (error: unknown) => void;
  processMetrics?: boolean;
}

const stopTimeoutMs = 20_000;
const redisWaitMs = 25;
const redisWaitTries = 80;

/** The composition root: what is made here is stopped here, in reverse order. */
export async function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<RunningService> {
  const clock = overrides.clock ?? systemClock;
  const { logger: given, processMetrics } = overrides;
  const shell = await startShell({ name: 'gateway', config, logger: given, processMetrics, stopTimeoutMs });
  const { logger, registry, resources } = shell;
  const onFatal = overrides.onFatal ?? ((error: unknown) => logger.fatal({ err: error }, 'cannot go on'));

  const connection = createRedis({ ...redisOptions(config), logger, registry });
  resources.onStop('redis', () => connection.close());
  // Without it the first requests would be limited by each gateway alone; a dead Redis delays the start, no more.
  for (let i = 0; !connection.available && i < redisWaitTries; i++) await clock.sleep(redisWaitMs);
  const redis = createRedisCircuitBreaker(connection, clock);

  const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
  resources.onStop('kafka', () => kafka.close());
  // Callers wait for these events: what gathers while one request is under way is batch enough.
  const producer = createProducer(kafka, { lingerMs: 1 });
  resources.onStop('kafka producer', () => producer.close());
  const events = createEventPublisher(producer);

  const metrics = createMetrics(registry, {
    cachedKeys: () => operations.authenticateKey.size,
    kafkaAvailable: () => events.available,
  });
  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const peers = createPeers({ addresses: config, registry, security, onBatch: metrics.batch });
  resources.onStop('gRPC clients', () => peers.close());
  const operations = createOperations({ peers, redis, events, clock, metrics, settings: config });

  await operations.beginLimits();

  const listener = listenToKeyEvents({
    kafka,
    producer,
    instanceId: config.INSTANCE_ID,
    keys: operations.authenticateKey,
    clock,
    logger,
    onFatal,
    heard: metrics.keyEvent,
  });
  resources.onStop('key events', () => listener.stop());
  await listener.listening;

  const health = watchHealth({
    clock,
    probes: {
      ...peers.probes,
      redis: () => redis.run((r) => r.client.ping()),
      kafka: () =>
        events.available &&
        withTimeout(kafka.endOffsets(usageRecorded.topic), probeTimeoutMs, 'Kafka did not answer the probe', clock),
    },
    onChange: (dependency, isWell) =>
      logger[isWell ? 'info' : 'warn']({ dependency }, isWell ? 'answers again' : 'does not answer'),
  });
  resources.onStop('health probes', () => health.stop());
  await health.probed;

  let refusing = false;
  let inFlight = 0;
  const isDegraded = () => health.degraded;
  const urls = { api: config.PUBLIC_API_URL, site: config.PUBLIC_SITE_URL };
  const report = createReportExchange({ logger, metrics, successSample: config.LOG_SUCCESS_PERCENT / 100 });
  const server = createHttpServer({
    clock,
    isDraining: () => refusing,
    authenticateKey: operations.authenticateKey,
    admit: operations.admit,
    routes: createRoutes({ urls, isDegraded, operations }),
    send: createSendReply({ balances: operations.balances, isDraining: () => shell.draining }),
    index: indexOperations(contract),
    readAddress: createReadClientAddress(config.TRUSTED_PROXIES),
    report(exchange, method, response) {
      inFlight--;
      report(exchange, method, response);
    },
    onParserError(code, requestId) {
      metrics.parserError(code);
      logger.info({ requestId, status: 400, code: 'invalid_request', parser: code }, 'request');
    },
  });
  for (const event of requestEvents) server.on(event, () => inFlight++);
  const port = await listen(server, config);
  resources.onStop('http server', () => closeServer(server));
  shell.markReady();

  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await shell.drain();
    refusing = true;
    await resources.stop();
  };
  return {
    name: 'gateway',
    httpUrl: `http://${config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST}:${port}`,
    adminUrl: shell.adminUrl,
    pending: async () => inFlight,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
