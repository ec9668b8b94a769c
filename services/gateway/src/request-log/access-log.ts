import { nonZeroContractUnitsOf } from '@shopscope/charging';
import type { Environment } from '@shopscope/environment';
import { AppError, type Fault, isServerFault } from '@shopscope/errors';
import { redactApiKeys } from '@shopscope/ids';
import type { CompletedRequest } from '@shopscope/proto';
import { type Logger, traceIdOf } from '@shopscope/telemetry';
import type { EndedRequest } from '../http/request.ts';
import type { Caller } from '../keys/caller.ts';
import { type ResponseClass, responseClassOf } from '../keys/response-class.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { completedRequestOf, disconnected } from './completed-request.ts';

/**
 * Writes one log line and one metrics observation per request, when its response has ended. A request with a valid key also
 * counts for its key and goes into the request log of its workspace. The level of the line:
 *
 * - error: a 5xx or a withheld response, with every cause.
 * - info: a 4xx, a caller that disconnected or was cut off, every billed or replayed response, and a sample of the other successes.
 * - debug: the rest of the successes, which are free.
 *
 * API keys in the path or in a message are cut to their key tag.
 */
export type AccessLog = (request: EndedRequest) => void;

interface RequestLog {
  add(workspaceId: string, request: CompletedRequest): void;
}

const maxPathChars = 300;

export function createAccessLog(options: {
  logger: Logger;
  metrics: Pick<GatewayMetrics, 'observeRequest'>;
  /** Called only for requests with a valid key. It must cost almost nothing. */
  activity: { count(caller: Caller, response: ResponseClass, startedAtMs: number): void };
  /** Called only for requests with a valid key, like `activity`. If it is undefined, the request log is off. */
  requestLogs?: Readonly<Record<Environment, RequestLog>> | undefined;
  /** The share of the sampled successes, from 0 to 1. */
  successSample: number;
}): AccessLog {
  const { logger, metrics, activity, requestLogs, successSample } = options;
  return (request) => {
    const { response, method } = request;
    const durationMs = request.deadline.elapsedMs;
    // The status 0 means that the response was withheld.
    const unanswered = request.failureCode === 'withheld' ? 0 : disconnected;
    const status = response.headersSent ? response.statusCode : unanswered;
    const operation = request.operation?.id ?? 'none';
    // The time in which the caller reads or lets the request wait is not counted: it would set off the alert for slow responses.
    const seconds = Math.max(0, (request.answeredAfterMs ?? durationMs) - request.waitedMs) / 1_000;
    const { requestId, origin, caller, path, billing, failure, failureCode } = request;
    const { environment } = origin;
    metrics.observeRequest({ environment, operation, status, fault: faultOf(status, request), seconds });
    if (caller) {
      activity.count(caller, responseClassOf(status, failureCode), request.startedAtMs);
      requestLogs?.[caller.keyEnvironment].add(caller.workspaceId, completedRequestOf(request, { status, durationMs }));
    }
    const level = levelOf(status, request, successSample);
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        requestId,
        trace: traceIdOf(origin),
        environment: environment ?? undefined,
        method,
        path: redactApiKeys(path.slice(0, maxPathChars)),
        operation: request.operation?.id,
        status,
        code: failureCode,
        durationMs: Math.round(durationMs * 10) / 10,
        workspaceId: caller?.workspaceId,
        keyId: caller?.keyId,
        chargeId: billing.chargeId,
        units: billing.units && nonZeroContractUnitsOf(billing.units),
        earlier: billing.earlier,
        cut: request.isCut || undefined,
        ...(level === 'error'
          ? { err: failure }
          : { reason: failure && redactApiKeys(AppError.from(failure).message) }),
      },
      'request',
    );
  };
}

/** A withheld response is a fault of the service. A caller that disconnects is not a fault, whatever happens afterwards. */
function faultOf(status: number, { failure, failureCode }: EndedRequest): Fault | 'none' {
  if (failureCode === 'withheld') return 'service';
  if (status === disconnected) return 'caller';
  if (failure !== undefined) return AppError.from(failure).fault;
  return status < 400 ? 'none' : status < 500 ? 'caller' : 'service';
}

function levelOf(
  status: number,
  { failure, failureCode, billing, isCut }: EndedRequest,
  sample: number,
): 'error' | 'info' | 'debug' {
  if (failureCode === 'withheld') return 'error';
  if (status === 499 || isCut) return 'info';
  if (failure !== undefined) return isServerFault(AppError.from(failure)) ? 'error' : 'info';
  if (status >= 400 || billing.units || billing.earlier) return 'info';
  return sample > 0 && Math.random() < sample ? 'info' : 'debug';
}
