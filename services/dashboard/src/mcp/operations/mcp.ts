/**
 * The Model Context Protocol over HTTP, for programs with an API key. Each message is answered by itself.
 *
 * - A message begins with one request of the API (GET /v1/account) with the caller's key, and tools call the API with it. So keys,
 *   scopes, limits and bills are the API's, and a revoked key is refused as there.
 * - Missing, malformed and refused keys count for their network address. A key that was accepted before is not limited by it.
 * - A message waits until its key, workspace and network address have room, and it is its turn.
 * - A message is answered within {@link answerMs}: later calls of the API fail, and the tool says so.
 */

import { createDeadline } from '@shopscope/async';
import { ApiError, type Client, createClient, hasCode } from '@shopscope/client';
import { addressGroup } from '@shopscope/client-address';
import { AppError, isErrorCode } from '@shopscope/errors';
import { parseApiKey } from '@shopscope/ids';
import { answerMessage } from '@shopscope/mcp';
import type { Origin } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { McpMessage } from '../outbound/mcp-messages.ts';

/** The request that a message came with. */
export interface McpRequest {
  origin: Origin;
  /** Network address of the caller; empty when it is not known. */
  address: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
}

export interface McpCaller extends McpRequest, Pick<McpMessage, 'waits' | 'end'> {
  keyId: string;
  /** Calls the API with the caller's key. */
  client: Client;
}

/** Within the 30 s that the proxies of an installation allow. */
const answerMs = 25_000;
const maxWaitSeconds = 20;

/** Throws AppError. Call `end` of the caller when the message is answered. */
export async function admit(
  { gateway, throttle, clock, mcpMessages: messages }: Dependencies,
  token: string | undefined,
  request: McpRequest,
): Promise<McpCaller> {
  const { address, origin, signal } = request;
  // The wait for a place counts too.
  const deadline = createDeadline(answerMs, { clock });
  const message = messages.begin({ token, address });
  signal.addEventListener('abort', message.end);
  try {
    await message.begun;
    const client = createClient({
      // A function: the client refuses a text that is no key when it is created, and here that is answered as 401.
      apiKey: () => token ?? '',
      // Only paths are used.
      baseUrl: 'http://gateway',
      userAgent: 'shopscope-mcp',
      // The repetitions of the gateway client are enough, and the caller learns of 429 at once.
      maxRetries: 0,
      fetch: gateway.fetchFor({ address, origin, deadline }),
    });
    const ask = async () => {
      if (token === undefined || parseApiKey(token) === undefined) throw unauthorized();
      try {
        return await client.getAccount();
      } catch (error) {
        if (!hasCode(error, 'unauthorized')) return { error };
        messages.forget(token);
        throw toAppError(error);
      }
    };
    const isKnown = token !== undefined && messages.keyOf(token) !== undefined;
    const account = isKnown
      ? await ask()
      : await throttle.guard([[limits.mcpRefusalOfAddress, addressGroup(address)]], ask);
    if ('error' in account) throw toAppError(account.error);
    const { key, workspace, plan } = account;
    const { concurrency } = plan.limits;
    message.accept(token as string, { keyId: key.id, workspaceId: workspace.id, concurrency });
    return { ...request, keyId: key.id, client, waits: message.waits, end: message.end };
  } catch (error) {
    message.end();
    throw error;
  }
}

export function answer(
  { mcpUnits, mcpDailyUnits, clock, logger, metrics }: Dependencies,
  { client, keyId, waits, origin, signal }: McpCaller,
  exchange: { request: Request; message: unknown },
): Promise<Response> {
  return answerMessage(
    {
      client,
      budgetStore: mcpUnits,
      dailyUnits: mcpDailyUnits,
      keyId: async () => keyId,
      now: () => new Date(clock.now()),
      waits: { maxSeconds: maxWaitSeconds, end: waits },
      onToolCall({ tool, result, units, error }) {
        metrics.mcpToolCalls.inc({ tool, result });
        const line = { requestId: origin.requestId, keyId, tool, result, units };
        if (result === 'failed') logger.error({ ...line, err: error }, 'MCP tool');
        else logger.info(line, 'MCP tool');
      },
    },
    { ...exchange, signal },
  );
}

const unauthorized = () =>
  new AppError('unauthorized', 'Send an API key in the header Authorization: Bearer svc_live_…');

/** The API's refusal in its own words; `unavailable` when there is no answer of it. */
function toAppError(error: unknown): AppError {
  if (!(error instanceof ApiError) || !isErrorCode(error.code)) {
    return new AppError('unavailable', 'The API does not answer; retry after a second.', {
      cause: error,
      details: { retry_after: 1 },
    });
  }
  const { code, message, status, retryAfterMs } = error;
  const details = retryAfterMs === undefined ? {} : { retry_after: Math.ceil(retryAfterMs / 1_000) };
  return new AppError(code, message, { status, details });
}
