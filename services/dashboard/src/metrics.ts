import { metricsOf, type Registry } from '@shopscope/telemetry';

export type DashboardMetrics = ReturnType<typeof createMetrics>;

const secondBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * The metrics of the dashboard. What belongs to no workspace counts as `live`. The metrics of gRPC, Kafka, MongoDB and Redis come from their libraries.
 */
export function createMetrics(registry: Registry) {
  const { counter, histogram } = metricsOf(registry);
  const mails = counter(
    'dashboard_mails_total',
    'Messages by outcome: sent (the mail server accepted it), refused (no such recipient) or failed',
    ['outcome'],
  );
  // All series begin at 0, so that an alert sees the first failure.
  for (const outcome of ['sent', 'refused', 'failed']) mails.inc({ outcome }, 0);
  return {
    mails,
    pageDuration: histogram(
      'page_duration_seconds',
      'Time until a page was sent, by method, status and the cause of the failure: none, caller, limit, service',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      ['environment', 'method', 'status', 'fault'],
    ),
    requestWait: histogram(
      'request_wait_seconds',
      'Time that an admitted request waited for the rate of its caller and for its turn',
      secondBuckets,
    ),
    publicPages: counter('public_pages_total', 'Answers of public pages: stored, rendered, failed, limited, moved', [
      'result',
    ]),
    refusedRequests: counter(
      'refused_requests_total',
      'Requests that a limit of this service refused, by status: 429 (limit of a caller), 503 (too many in all)',
      ['status'],
    ),
    mcpMessages: counter(
      'mcp_messages_total',
      'Answered MCP messages, by HTTP status and the cause of the failure: none, caller, limit, service',
      ['environment', 'status', 'fault'],
    ),
    mcpToolCalls: counter(
      'mcp_tool_calls_total',
      'Calls of MCP tools: answered, budget_spent, refused (by the API), failed',
      ['environment', 'tool', 'result'],
    ),
  };
}
