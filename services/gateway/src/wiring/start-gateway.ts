import { randomUUID } from 'node:crypto';
import { startPeriodicLoop, withTimeout } from '@shopscope/async';
import { createReadClientAddress } from '@shopscope/client-address';
import { type Clock, systemClock } from '@shopscope/clock';
import { grpcTlsFiles, kafkaOptions, type PeerName, redisOptions, secondRedisOptions } from '@shopscope/config';
import { connectPeer, openGrpcSecurity, probeTimeoutMs, type UnaryDefinition } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { closeServer, listen, type RunningService, startShell } from '@shopscope/lifecycle';
import {
  gatewayAck,
  KeysServiceService,
  keyActivity,
  MeteringServiceService,
  ScanSchedulerServiceService,
  usageRecorded,
  ZeroCopyProfilesService,
} from '@shopscope/proto';
import { createRedis } from '@shopscope/redis';
import type { Logger } from '@shopscope/telemetry';
import { createBalanceCache } from '../charging/balance-cache.ts';
import { createChargeUnits } from '../charging/charge-units.ts';
import { createEventPublisher } from '../charging/event-publisher.ts';
import { createLeaseUnits } from '../charging/lease-units.ts';
import { createMeteringClient } from '../charging/metering-client.ts';
import { createRequireUnits } from '../charging/require-units.ts';
import { type GatewayConfig, idempotencyRedis } from '../config.ts';
import { createGetAccount } from '../endpoints/account/get-account.ts';
import { createGetUsage } from '../endpoints/account/get-usage.ts';
import { createBegins, createRoutes } from '../endpoints/create-routes.ts';
import { createCursorSigner } from '../endpoints/cursor.ts';
import { createEnrichStores } from '../endpoints/enrich-stores/enrich-stores.ts';
import { createWorkspaceTurns } from '../endpoints/enrich-stores/workspace-turns.ts';
import { createLookUpStore } from '../endpoints/get-store/look-up-store.ts';
import { createJobs } from '../endpoints/jobs/jobs.ts';
import { operations as contract } from '../endpoints/operations.ts';
import { createRequestStoreScan } from '../endpoints/request-scan/request-store-scan.ts';
import { createGetStoreHistory, createSearchSignals } from '../endpoints/signals/query-signals.ts';
import { createListTechnologies } from '../endpoints/technologies/list-technologies.ts';
import { trackRoutes } from '../endpoints/track-routes.ts';
import { createBodyBudget } from '../http/body/body-budget.ts';
import { createWorkspaceTags } from '../http/entity-tag.ts';
import { indexOperations } from '../http/operation-index.ts';
import { createSendReply } from '../http/reply/send-reply.ts';
import { createWriteBody } from '../http/reply/write-body.ts';
import { createHttpServer, type HttpServerOptions, requestEvents } from '../http/server.ts';
import { createIdempotencyStore } from '../idempotency/redis-store.ts';
import { createRunOnce } from '../idempotency/run-once.ts';
import { createAcknowledgements } from '../keys/acknowledge-key-changes.ts';
import { createAuthFailures } from '../keys/auth-failures.ts';
import { createAuthenticateKey } from '../keys/authenticate-key.ts';
import { consumeKeyEvents } from '../keys/consume-key-events.ts';
import { createKeyActivityCounter } from '../keys/key-activity.ts';
import { createKeysClient } from '../keys/keys-client.ts';
import { startKeyActivityReports } from '../keys/report-key-activity.ts';
import { createReportPublisher, ensureReportTopics } from '../keys/report-publisher.ts';
import { createAdmission } from '../limits/admission.ts';
import { createConnectionLimits } from '../limits/connection-limits.ts';
import { createLocalLimits } from '../limits/local-limits.ts';
import { createPublicLimits } from '../limits/public-limits.ts';
import { createRedisLimits, leaseRenewalMs } from '../limits/redis-limits.ts';
import { createProfilesClient } from '../peers/profiles-client.ts';
import { createAccessLog } from '../request-log/access-log.ts';
import { startRequestLog } from '../request-log/publish-request-log.ts';
import { createRequestLogProducer } from '../request-log/request-log-producer.ts';
import { createRequestQueue } from '../request-log/request-queue.ts';
import { createChargeScans } from '../scans/charge-scans.ts';
import { createRequestScans } from '../scans/request-scans.ts';
import { createScanSchedulerClient } from '../scans/scheduler-client.ts';
import { type Probe, watchHealth } from './health-probes.ts';
import { createMetrics } from './metrics.ts';
import { createRedisCircuitBreaker } from './redis-circuit-breaker.ts';

export interface GatewayOverrides {
  logger?: Logger;
  clock?: Clock;
  onFatal?: (error: unknown) => void;
  processMetrics?: boolean;
}

const stopTimeoutMs = 20_000;
const redisPollMs = 25;
const maxRedisPolls = 80;
/** With up to so many requests in flight, usage events do not wait for each other. */
const fewRequests = 4;

/** Starts a gateway. This is the composition root: it creates all resources and stops them in reverse order. */
export async function startGateway(config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<RunningService> {
  const { clock = systemClock, logger: given, processMetrics } = overrides;
  const shell = await startShell({ name: 'gateway', config, logger: given, processMetrics, stopTimeoutMs });
  const { logger, registry, resources } = shell;
  const onFatal =
    overrides.onFatal ?? ((error: unknown) => logger.fatal({ err: error }, 'the consumer of key events failed'));

  const openRedis = (use: string, options: ReturnType<typeof redisOptions>) => {
    const connection = createRedis({ ...options, use, logger, registry });
    resources.onStop(`redis of ${use}`, () => connection.close());
    return { connection, breaker: createRedisCircuitBreaker(connection, clock) };
  };
  const limitsRedis = openRedis('limits', redisOptions(config));
  const second = secondRedisOptions(config, idempotencyRedis);
  // Stored responses can fill their Redis. In a Redis of their own they cannot affect the limits.
  const responsesRedis = second ? openRedis('idempotency', second) : limitsRedis;
  const redises = [...new Set([limitsRedis, responsesRedis])];
  const isWaiting = () => redises.some(({ connection }) => !connection.available);
  // Waits for Redis, because without it the local limits decide. An unavailable Redis only delays the start.
  for (let i = 0; isWaiting() && i < maxRedisPolls; i++) await clock.sleep(redisPollMs);
  const redis = limitsRedis.breaker;

  const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
  resources.onStop('kafka', () => kafka.close());
  let inFlight = 0;
  const turns = createWorkspaceTurns({ clock, replicas: config.REPLICAS });
  // Callers wait for these events, so a few ms have to do: events that arrive during a request to Kafka form a batch anyway. No event
  // waits when every request in flight has one, or when so few are in flight that a batch would save little. Batches that wait for
  // their turn have no event soon.
  const isLast = (queued: number) => {
    const expected = inFlight - turns.waiting;
    return queued >= expected || expected <= fewRequests;
  };
  const producer = createProducer(kafka, { lingerMs: 3, isLast });
  resources.onStop('kafka producer', () => producer.close());
  const events = createEventPublisher(producer);
  const reports = createReportPublisher(kafka);
  resources.onStop('report producer', () => reports.close());

  const metrics = createMetrics(registry, {
    cachedKeys: () => authenticateKey.size,
    kafkaAvailable: () => events.available,
    anonymousConnections: () => connections.size,
  });
  const readAddress = createReadClientAddress(config.TRUSTED_PROXIES);
  const connections = createConnectionLimits({
    max: config.ANONYMOUS_CONNECTIONS_MAX,
    maxPerAddress: config.ANONYMOUS_CONNECTIONS_PER_ADDRESS,
    readAddress,
    onClosed: metrics.anonymousConnectionClosed,
  });
  const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
  resources.onStop('certificates', security.close);
  const probes: Record<string, Probe> = {};
  const connect = <D extends UnaryDefinition>(name: PeerName, address: string, definition: D) => {
    const peer = connectPeer({ definition, address, registry, security: security.towards(name) });
    resources.onStop(`client of ${name}`, peer.close);
    probes[name] = peer.probe;
    return peer.client;
  };
  const keys = createKeysClient(connect('keys', config.KEYS_ADDRESS, KeysServiceService));
  const profiles = createProfilesClient(
    connect('profiles', config.PROFILES_ADDRESS, ZeroCopyProfilesService),
    metrics.batch,
  );
  const metering = createMeteringClient(
    connect('metering', config.METERING_ADDRESS, MeteringServiceService),
    metrics.batch,
  );
  const scheduler = createScanSchedulerClient(
    connect('scan-scheduler', config.SCAN_SCHEDULER_ADDRESS, ScanSchedulerServiceService),
  );

  const shared = createRedisLimits(redis, clock);
  const renewals = startPeriodicLoop({
    intervalMs: leaseRenewalMs,
    run: shared.renewLeases,
    // Redis is unavailable, which health reports. Leases that expire meanwhile are made anew afterwards.
    onError: () => {},
    clock,
  });
  resources.onStop('renewal of slots', renewals.stop);
  const local = createLocalLimits({
    now: () => clock.now() + shared.clockOffsetMs,
    monotonicMs: () => clock.monotonicMs(),
    replicas: config.REPLICAS,
  });
  const balances = createBalanceCache({ metering, clock });
  const authFailures = createAuthFailures({ clock, maxPerMinute: config.AUTH_FAILURES_PER_MINUTE });
  const idempotency = createIdempotencyStore(responsesRedis.breaker, {
    workspaceBytes: config.IDEMPOTENCY_MAX_BYTES,
    totalBytes: config.IDEMPOTENCY_TOTAL_MAX_BYTES,
  });

  const maxKeys = config.KEY_CACHE_MAX;
  const authenticateKey = createAuthenticateKey({ keys, clock, authFailures, onLookup: metrics.keyLookup, maxKeys });
  const leases = createLeaseUnits({ metering, clock });
  // This cleanup runs after that of the HTTP servers, so all charges have been made.
  resources.onStop('leases', leases.stop);
  const chargeUnits = createChargeUnits({ metering, leases, events, balances, clock, onOutcome: metrics.charge });
  const requireUnits = createRequireUnits({ metering, chargeUnits, balances });
  const requestScans = createRequestScans({ scheduler, events, clock });
  const chargeScans = createChargeScans({ requestScans, chargeUnits });
  const cursors = createCursorSigner(config.CURSOR_SECRET);
  const tagOf = createWorkspaceTags(config.CURSOR_SECRET);
  // The epoch is an id by which a gateway detects that Redis lost its data. Without Redis it is learned later.
  await shared.learnEpoch().catch(() => {});

  const instanceId = config.INSTANCE_ID;
  const onReportError = (error: unknown) => logger.error({ err: error }, 'a report of this gateway failed');
  const acknowledgements = createAcknowledgements({
    publish: reports.publishAcks,
    instanceId,
    clock,
    onReports: (outcome, count) => metrics.reports(gatewayAck.topic, outcome, count),
    onError: onReportError,
  });
  const activity = createKeyActivityCounter({ clock, onDropped: metrics.activityDropped });
  const activityReports = startKeyActivityReports({
    counter: activity,
    publish: reports.publishActivity,
    // A restarted container keeps its INSTANCE_ID, so the id of the process has a random part.
    processId: `${instanceId}.${randomUUID().slice(0, 8)}`,
    clock,
    onReports: (outcome, count) => metrics.reports(keyActivity.topic, outcome, count),
    onError: onReportError,
  });
  // This cleanup runs after that of the HTTP servers, so all requests have ended.
  resources.onStop('reports', () => Promise.all([acknowledgements.stop(), activityReports.stop()]));

  const requestQueue = config.REQUEST_LOG
    ? createRequestQueue({ clock, onDropped: (reason) => metrics.requestsDropped(reason, 1) })
    : undefined;
  if (requestQueue) {
    const requestLogProducer = createRequestLogProducer(kafka);
    resources.onStop('request log producer', () => requestLogProducer.close());
    const requestLog = startRequestLog({
      queue: requestQueue,
      publish: requestLogProducer.publish,
      clock,
      onPublished: metrics.requestsPublished,
      onDropped: metrics.requestsDropped,
      onError: (error) => logger.error({ err: error }, 'the request log failed'),
    });
    resources.onStop('request log', requestLog.stop);
  }

  const [keyEvents, reportTopics] = await Promise.all([
    consumeKeyEvents({
      kafka,
      producer,
      instanceId,
      keys: authenticateKey,
      clock,
      onFatal,
      onEvent: metrics.keyEvent,
      acknowledge: acknowledgements.acknowledge,
    }),
    ensureReportTopics({ kafka, clock }),
  ]);
  resources.onStop('key events', () => keyEvents.stop());
  resources.onStop('report topics', () => reportTopics.stop());

  const health = watchHealth({
    clock,
    probes: {
      ...probes,
      redis: () => redis.run((r) => r.client.ping()),
      ...(second && { 'redis of stored responses': () => responsesRedis.breaker.run((r) => r.client.ping()) }),
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

  let isRejecting = false;
  const signalQueries = { profiles, cursors, chargeUnits, requireUnits, clock };
  const readers = {
    lookUpStore: createLookUpStore({ profiles, chargeUnits, tagOf }),
    getStoreHistory: createGetStoreHistory(signalQueries),
  };
  const { routes, ended } = trackRoutes(
    createRoutes({
      urls: { api: config.PUBLIC_API_URL, site: config.PUBLIC_SITE_URL },
      isDegraded: () => health.degraded,
      runOnce: createRunOnce({ store: idempotency, clock, onOutcome: metrics.idempotentRequest }),
      enrichStores: createEnrichStores({ profiles, requestScans, chargeScans, turns, clock }),
      getAccount: createGetAccount({ metering, balances }),
      getUsage: createGetUsage({ metering, keys }),
      listTechnologies: createListTechnologies({ profiles, cursors }),
      requestStoreScan: createRequestStoreScan({ scheduler, requestScans, chargeScans }),
      jobs: createJobs({ scheduler, cursors }),
      ...readers,
      searchSignals: createSearchSignals(signalQueries),
    }),
  );
  // This cleanup runs after that of the HTTP servers, so no further route starts.
  resources.onStop('routes', ended);
  const writeBody = createWriteBody({
    clock,
    onCut({ req }) {
      req.exchange.isCut = true;
      metrics.responseCut();
    },
  });
  const accessLog = createAccessLog({
    logger,
    metrics,
    activity,
    requestLog: requestQueue,
    successSample: config.LOG_SUCCESS_PERCENT / 100,
  });
  const serverOptions: HttpServerOptions = {
    clock,
    isDraining: () => isRejecting,
    authenticateKey,
    bodyBudget: createBodyBudget(),
    admission: createAdmission({ shared, local, onDecision: metrics.admitted }),
    begins: createBegins(readers),
    routes,
    send: createSendReply({ balances, isDraining: () => shell.draining, writeBody }),
    index: indexOperations(contract),
    connections,
    acquirePublic: createPublicLimits({ clock, maxPerMinute: config.PUBLIC_REQUESTS_PER_MINUTE }).acquire,
    readAddress,
    accessLog(exchange, method, response) {
      inFlight--;
      accessLog(exchange, method, response);
    },
    onParserError(code, requestId) {
      metrics.parserError(code);
      const outcome = requestId === undefined ? { status: 0 } : { requestId, status: 400, code: 'invalid_request' };
      logger.info({ ...outcome, parser: code }, 'request');
    },
  };
  const server = createHttpServer(serverOptions);
  const { https } = security;
  const internalServer = createHttpServer({
    ...serverOptions,
    keyUses: ['dashboard', 'api'],
    // Only the dashboard can connect. It names the address of the caller that it works for.
    readAddress: createReadClientAddress(['0.0.0.0/0', '::/0']),
    connections: undefined,
    acquirePublic: undefined,
    ...(https && { createServer: (options) => https.createServer(options, ['dashboard']) }),
  });
  for (const event of requestEvents) {
    for (const each of [server, internalServer]) each.on(event, () => inFlight++);
  }
  const port = await listen(server, config);
  const internalPort = await listen(internalServer, { ...config, HTTP_PORT: config.INTERNAL_PORT });
  // Both close at the same time. Each has up to 11 s for the requests in progress.
  resources.onStop('http servers', () => Promise.all([closeServer(server), closeServer(internalServer)]));
  shell.markReady();
  acknowledgements.startServing();

  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await shell.drain();
    isRejecting = true;
    await resources.stop();
  };
  return {
    name: 'gateway',
    httpUrl: `http://${host}:${port}`,
    internalAddress: `${host}:${internalPort}`,
    adminUrl: shell.adminUrl,
    pending: async () => inFlight,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}
