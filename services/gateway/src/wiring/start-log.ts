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
  const requestLog = config.REQUEST_LOG ? startQueue(context, kafka) : undefined;
  return createAccessLog({ logger, metrics, activity, requestLog, successSample: config.LOG_SUCCESS_PERCENT / 100 });
}

function startQueue({ clock, logger, resources, metrics }: Context, kafka: Kafka): RequestQueue {
  const queue = createRequestQueue({ clock, onDropped: (reason) => metrics.requestsDropped(reason, 1) });
  const producer = createReportProducer(kafka, { maxQueued: maxQueuedEvents, lingerMs: 0 });
  resources.onStop('request log producer', () => producer.close());
  const log = startRequestLog({
    queue,
    publish: (events, timeoutMs) => producer.publish(requestsCompleted.live, events, timeoutMs),
    clock,
    onPublished: metrics.requestsPublished,
    onDropped: metrics.requestsDropped,
    onError: (error) => logger.error({ err: error }, 'the request log failed'),
  });
  resources.onStop('request log', log.stop);
  return queue;
}
