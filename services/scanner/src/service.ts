import { grpcTlsFiles, kafkaOptions } from '@shopscope/config';
import { createGrpcClient, openGrpcSecurity } from '@shopscope/grpc';
import { createKafka, createProducer } from '@shopscope/kafka';
import { type RunningService, type ServiceOverrides, startService } from '@shopscope/lifecycle';
import {
  createAddressPolicy,
  createNameResolver,
  createTlsContext,
  type Dial,
  dialTcp,
  type NameResolver,
  noTestHosts,
  type TestHosts,
} from '@shopscope/outbound-http';
import { ScanSchedulerServiceService } from '@shopscope/proto';
import type { Logger } from '@shopscope/telemetry';
import { boundsOf } from './bounds.ts';
import type { ScannerConfig } from './config.ts';
import { robotName, userAgentOf } from './domain/robot.ts';
import { startLeaseLoop } from './inbound/leases/lease-loop.ts';
import { createMetrics } from './metrics.ts';
import { carryOutScan } from './operations/carry-out-scan.ts';
import type { Dependencies } from './operations/dependencies.ts';
import { createEgressWatch } from './operations/watch-egress.ts';
import { createObservationPublisher } from './outbound/events/observations.ts';
import { examinerEntry, startExaminer } from './outbound/examiner/examiner.ts';
import { createScanLeases } from './outbound/scheduler/leases.ts';
import { createCanaryProbe } from './outbound/web/canary.ts';
import { createHostPacer } from './outbound/web/host-pacer.ts';
import { createRecordResolver, type RecordResolver } from './outbound/web/records.ts';
import { testHostsFiles } from './outbound/web/test-hosts.ts';
import { createVisitor } from './outbound/web/visitor.ts';

export interface ScannerOverrides extends ServiceOverrides {
  resolver?: NameResolver;
  records?: RecordResolver;
  dial?: Dial;
  testHosts?: TestHosts;
}

/** Nobody calls the scanner. Its stop therefore does not wait until callers detect that it is not ready. */
const noDrain = { DRAIN_DELAY_MS: 0 };

/**
 * The composition root. It registers the cleanup of each resource when it creates it. The scanner leases scans as soon as scan-scheduler
 * and Kafka are available.
 */
export const startScanner = (config: ScannerConfig, overrides: ScannerOverrides = {}): Promise<RunningService> =>
  startService({ name: 'scanner', config: { ...config, ...noDrain } }, overrides, async (parts) => {
    const { logger, registry, resources, clock, onFatal } = parts;
    const metrics = createMetrics(registry);
    const bounds = boundsOf(config);
    if (config.BOT_INFO_URL === undefined && config.SHOPSCOPE_ENV === 'production') {
      logger.warn('BOT_INFO_URL is not set: the user agent has no URL of a page about this robot');
    }

    if (config.CANARY_NAMES.length === 0 && config.SHOPSCOPE_ENV === 'production') {
      logger.warn('CANARY_NAMES is not set: outages of our own network are not told apart from outages of stores');
    }

    const kafka = createKafka({ ...kafkaOptions(config), logger, registry });
    resources.onStop('kafka', () => kafka.close());
    const producer = createProducer(kafka);
    resources.onStop('producer', () => producer.close());
    const observations = createObservationPublisher(kafka, producer, { timeoutMs: 5_000, onFatal });
    parts.addCheck('kafka', () => observations.available);

    const security = openGrpcSecurity({ files: grpcTlsFiles(config), logger, registry });
    resources.onStop('certificates', security.close);
    const scheduler = createGrpcClient({
      definition: ScanSchedulerServiceService,
      address: config.SCAN_SCHEDULER_ADDRESS,
      security: security.towards('scan-scheduler'),
      registry,
    });
    resources.onStop('scan-scheduler client', () => scheduler.close());

    const policy = createAddressPolicy(config.SCAN_DENIED_CIDRS);
    const resolver = overrides.resolver ?? createNameResolver({ timeoutMs: 2_000 });
    const testHosts = overrides.testHosts ?? testHostsOf(config, logger);
    const dial = overrides.dial ?? dialTcp;
    const egress = createEgressWatch({
      names: config.CANARY_NAMES,
      probe: createCanaryProbe({ policy, resolver, dial }),
      isTestHost: (hostname) => testHosts.find(hostname) !== undefined,
      clock,
      metrics,
      logger,
    });
    const visitor = createVisitor({
      policy,
      resolver,
      records: overrides.records ?? createRecordResolver({ timeoutMs: 1_500 }),
      testHosts,
      dial: async (address, port, abort) => {
        const socket = await dial(address, port, abort);
        if (policy.refusalOf(address) === undefined) egress.connected();
        return socket;
      },
      tlsContext: createTlsContext(),
      pacer: createHostPacer(clock),
      hostDelayMs: config.SCAN_HOST_DELAY_MS,
      userAgent: userAgentOf(config.BOT_INFO_URL),
      bounds: bounds.web,
      clock,
      metrics,
    });

    const examiner = startExaminer({
      entry: examinerEntry,
      scanCpuMs: config.SCAN_EXAMINE_CPU_MS,
      maxMemoryMb: config.SCAN_EXAMINE_MEMORY_MB,
      clock,
      metrics,
      logger,
    });
    resources.onStop('examiner', () => examiner.stop());
    parts.addCheck('examiner', () => examiner.available);

    const deps: Dependencies = {
      clock,
      logger,
      metrics,
      visitor,
      examiner,
      observations,
      egress,
      product: robotName,
      bounds: bounds.visit,
    };
    const loop = startLeaseLoop({
      leases: createScanLeases({
        client: scheduler,
        scannerId: config.INSTANCE_ID,
        waitMs: config.SCAN_LEASE_WAIT_MS,
        clock,
        logger,
      }),
      ready: async () => {
        await observations.ready();
        await egress.ready();
        await examiner.ready();
      },
      carryOut: (lease, stopping) => carryOutScan(deps, lease, stopping),
      concurrency: config.SCAN_CONCURRENCY,
      clock,
      logger,
      graceMs: config.SCAN_STOP_GRACE_MS,
    });
    resources.onStop('lease loop', () => loop.stop());
    parts.addCheck('scan-scheduler', () => loop.available);
    parts.markReady();

    return { pending: async () => loop.inProgress };
  });

function testHostsOf(config: ScannerConfig, logger: Logger): TestHosts {
  if (config.SHOPSCOPE_SCAN_HOSTS.length === 0) return noTestHosts;
  return testHostsFiles(config.SHOPSCOPE_SCAN_HOSTS, (file, error) =>
    logger.warn({ err: error, file }, 'the scan hosts file is invalid; its last valid content stays in force'),
  );
}
