import type { Environment } from '@shopscope/environment';
import type { Kafka } from '@shopscope/kafka';
import { requestsCompleted } from '@shopscope/proto';
import type { KeyActivityCounter } from '../keys/key-activity.ts';
import { createReportProducer } from '../keys/report-producer.ts';
import { type AccessLog, createAccessLog } from '../request-log/access-log.ts';
import { startRequestLog } from '../request-log/publish-request-log.ts';
import { createRequestQueue, type RequestQueue } from '../request-log/request-queue.ts';
import type { Context } from './context.ts';

/** The events of two portions: one that is still being sent after its time limit, and the next. At worst, each event has one request. */
const maxQueuedEvents = 2_000;

/** Starts the access log, and the request log unless it is off. */
export function startLog(context: Context, kafka: Kafka, activity: KeyActivityCounter): AccessLog {
  const { config, logger, metrics } = context;
  const start = (environment: Environment) => startQueue(context, kafka, environment);
  const requestLogs = config.REQUEST_LOG ? { live: start('live'), test: start('test') } : undefined;
  return createAccessLog({ logger, metrics, activity, requestLogs, successSample: config.LOG_SUCCESS_PERCENT / 100 });
}

/** Each environment has its own queue, so that the requests of the test tenant take no place of others. The metrics are those of production. */
function startQueue(
  { clock, logger, resources, metrics }: Context,
  kafka: Kafka,
  environment: Environment,
): RequestQueue {
  const { requestsPublished: onPublished, requestsDropped: onDropped } =
    environment === 'live' ? metrics : { requestsPublished: () => {}, requestsDropped: () => {} };
  const queue = createRequestQueue({ clock, onDropped: (reason) => onDropped(reason, 1) });
  const producer = createReportProducer(kafka, { maxQueued: maxQueuedEvents, lingerMs: 0 });
  resources.onStop(`request log producer, ${environment}`, () => producer.close());
  const log = startRequestLog({
    queue,
    publish: (events, timeoutMs) => producer.publish(requestsCompleted[environment], events, timeoutMs),
    clock,
    onPublished,
    onDropped,
    onError: (error) => logger.error({ err: error }, 'the request log failed'),
  });
  resources.onStop(`request log, ${environment}`, log.stop);
  return queue;
}
