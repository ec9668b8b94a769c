import type { ChargeOutcome } from '@shopscope/charging';
import type { Environment } from '@shopscope/environment';
import type { Fault } from '@shopscope/errors';
import { latencyBuckets, metricsOf, type Registry } from '@shopscope/telemetry';
import type { RunOnceOutcome } from './idempotency/run-once.ts';
import type { DropReason } from './request-log/publish-request-log.ts';

export type GatewayMetrics = ReturnType<typeof createMetrics>;

/** Caches the children of a metric with few label values. */
function childrenOf<Child>(make: (...labels: string[]) => Child): (...labels: string[]) => Child {
  const children = new Map<string, Child>();
  return (...labels) => {
    const key = labels.join('|');
    let child = children.get(key);
    if (!child) {
      child = make(...labels);
      children.set(key, child);
    }
    return child;
  };
}

interface ObservedRequest {
  /** Null for a request without a valid key. */
  environment: Environment | null;
  operation: string;
  status: number;
  fault: Fault | 'none';
  seconds: number;
}

/** Creates the metrics of the gateway. Children of labels are cached, so that a request does not hash labels. */
export function createMetrics(registry: Registry) {
  const create = metricsOf(registry);
  const counter = (name: string, help: string, ...labelNames: string[]) => {
    const metric = create.counter(name, help, labelNames);
    return childrenOf((...values) =>
      metric.labels(Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? '']))),
    );
  };
  const requests = counter(
    'http_requests_total',
    'Requests by operation, status and the cause of the failure: none, caller, limit, service',
    'operation',
    'status',
    'fault',
  );
  const testRequests = counter(
    'test_tenant_requests_total',
    'Requests with test keys by operation and status. No other metric of requests counts them',
    'operation',
    'status',
  );
  const latency = create.histogram(
    'http_request_duration_seconds',
    'Duration of requests by operation',
    latencyBuckets,
    ['operation'],
  );
  const latencyOf = childrenOf((operation) => latency.labels({ operation: operation as string }));
  const batches = create.histogram(
    'gateway_batch_size',
    'Items per batched call, by kind',
    [1, 2, 4, 8, 16, 32, 64, 100, 250, 1_000],
    ['kind'],
  );
  const batchOf = childrenOf((kind) => batches.labels({ kind: kind as string }));
  const keyLookups = counter('gateway_key_lookups_total', 'Key look-ups by outcome', 'outcome');
  const admissions = counter('gateway_admissions_total', 'Limit decisions by outcome and who decided', 'outcome', 'by');
  const charges = counter('gateway_charges_total', 'Charges by outcome', 'outcome');
  const idempotentRequests = counter(
    'gateway_idempotent_requests_total',
    'Requests with an Idempotency-Key by outcome',
    'outcome',
  );
  const parserErrors = counter('http_parser_errors_total', 'Requests refused by the HTTP parser, by code', 'code');
  const cutResponses = counter(
    'http_responses_cut_total',
    'Responses whose connection was closed because the caller read too slowly',
  );
  cutResponses();
  const keyEvents = counter('gateway_key_events_total', 'Key events received');
  const reports = counter(
    'gateway_reports_total',
    'Acknowledgements of key changes and reports of key activity, by topic and outcome',
    'topic',
    'outcome',
  );
  const droppedActivity = counter(
    'gateway_key_activity_dropped_total',
    'Responses that no report of key activity counts, because too many counts wait',
  );
  const publishedRequests = counter('requests_published_total', 'Requests published for the request log');
  const droppedRequests = counter(
    'requests_dropped_total',
    'Requests that are missing in the request log, by reason: no place in the queue, never accepted, or not sent at a stop',
    'reason',
  );
  // Each counter exists from the start: a counter that begins with its first drop shows no increase.
  for (const reason of ['queue_full', 'workspace_share', 'not_published', 'stopped'] satisfies DropReason[]) {
    droppedRequests(reason);
  }
  const closedConnections = counter(
    'gateway_anonymous_connections_closed_total',
    'Connections without an admitted request that were closed, by the bound that was reached: of an address or of all',
    'by',
  );
  for (const by of ['address', 'all']) closedConnections(by);
  return {
    /** Counts requests with test keys apart: callers provoke their errors on purpose, and alerts read the other counts. */
    observeRequest(request: ObservedRequest): void {
      const { environment, operation, status, fault, seconds } = request;
      if (environment === 'test') {
        testRequests(operation, String(status)).inc();
        return;
      }
      requests(operation, String(status), fault).inc();
      latencyOf(operation).observe(seconds);
    },
    batch: (kind: string, size: number): void => batchOf(kind).observe(size),
    keyLookup(environment: Environment, outcome: string): void {
      if (environment === 'live') keyLookups(outcome).inc();
    },
    admitted(environment: Environment, outcome: string, by: string): void {
      if (environment === 'live') admissions(outcome, by).inc();
    },
    charge: (outcome: ChargeOutcome): void => charges(outcome).inc(),
    // The label value is `not_kept`, because alerts and dashboards of operators read it.
    idempotentRequest: (outcome: RunOnceOutcome): void =>
      idempotentRequests(outcome === 'not_stored' ? 'not_kept' : outcome).inc(),
    parserError: (code: string): void => parserErrors(code).inc(),
    anonymousConnectionClosed: (by: 'address' | 'all'): void => closedConnections(by).inc(),
    /** The environment is null for a request without a valid key. */
    responseCut(environment: Environment | null): void {
      if (environment !== 'test') cutResponses().inc();
    },
    keyEvent: (): void => keyEvents().inc(),
    /** Counts the reports of a topic. `failed` counts every try. */
    reports: (topic: string, outcome: 'sent' | 'failed' | 'dropped', events: number): void =>
      reports(topic, outcome).inc(events),
    activityDropped: (): void => droppedActivity().inc(),
    requestsPublished: (count: number): void => publishedRequests().inc(count),
    requestsDropped: (reason: DropReason, count: number): void => droppedRequests(reason).inc(count),
  };
}

/** Adds the metrics that are read when they are collected. */
export function addGauges(
  registry: Registry,
  gauges: { cachedKeys: () => number; kafkaAvailable: () => boolean; anonymousConnections: () => number },
): void {
  const { collectedGauge } = metricsOf(registry);
  collectedGauge('gateway_anonymous_connections', 'Open connections whose latest request was not admitted', (gauge) =>
    gauge.set(gauges.anonymousConnections()),
  );
  collectedGauge('gateway_cached_keys', 'Cached keys', (gauge) => gauge.set(gauges.cachedKeys()));
  collectedGauge(
    'gateway_usage_events_by_kafka',
    '1 while usage events go to Kafka, 0 while the circuit breaker of Kafka is open',
    (gauge) => gauge.set(gauges.kafkaAvailable() ? 1 : 0),
  );
}
