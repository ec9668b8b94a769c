/**
 * The Model Context Protocol over HTTP, for programs with an API key. Each message is answered separately.
 *
 * - A message begins with one request of the API (GET /v1/account) with the caller's key, and tools call the API with this key. Keys,
 *   scopes, limits and billing are therefore those of the API, and a revoked key is refused as in the API.
 * - Missing, malformed and refused keys count for their network address. This limit does not apply to a key that was accepted before.
 * - A message waits until its key, workspace and network address have room, and until it is its turn.
 * - A message is answered within {@link answerMs}. After that time calls of the API fail, and the tool reports it.
 */

import { createDeadline } from '@shopscope/async';
import { type Client, createClient, hasCode } from '@shopscope/client';
import { addressGroup } from '@shopscope/client-address';
import type { Environment } from '@shopscope/environment';
import { AppError } from '@shopscope/errors';
import { parseApiKey } from '@shopscope/ids';
import { answerMessage } from '@shopscope/mcp';
import { type Origin, originFields } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { toAppError } from '../../keys/operations.ts';
import type { McpMessage } from '../outbound/mcp-messages.ts';

/** The request that a message came with. */
export interface McpRequest {
  /** The environment is that of the key. */
  origin: Origin & { environment: Environment };
  /** The network address of the caller; empty if it is not known. */
  address: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
}

export interface McpCaller extends McpRequest, Pick<McpMessage, 'waits' | 'end'> {
  keyId: string;
  /** Calls the API with the caller's key. */
  client: Client;
}

/** Less than the 30 s that the proxies of an installation allow. */
const answerMs = 25_000;
const maxWaitSeconds = 20;

/** Throws AppError. When the message is answered, call `end` of the returned caller. */
export async function admit(
  { gateway, throttle, clock, mcpMessages: messages }: Dependencies,
  token: string | undefined,
  request: McpRequest,
): Promise<McpCaller> {
  const { address, origin, signal } = request;
  // The deadline includes the wait for a place.
  const deadline = createDeadline(answerMs, { clock });
  const message = messages.begin({ token, address });
  signal.addEventListener('abort', message.end);
  try {
    await message.begun;
    const client = createClient({
      // This is a function because the client refuses an invalid key when it is created. Here an invalid key is answered with 401.
      apiKey: () => token ?? '',
      // The client needs a base URL. Only its paths are used.
      baseUrl: 'http://gateway',
      userAgent: 'shopscope-mcp',
      // The gateway client retries already, and the caller must learn of a 429 at once.
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
  const { environment } = origin;
  return answerMessage(
    {
      client,
      budgetStore: mcpUnits[environment],
      dailyUnits: mcpDailyUnits,
      keyId: async () => keyId,
      now: () => new Date(clock.now()),
      waits: { maxSeconds: maxWaitSeconds, end: waits },
      onToolCall({ tool, result, units, error }) {
        metrics.mcpToolCalls.inc({ environment, tool, result });
        const line = { ...originFields(origin), keyId, tool, result, units };
        if (result === 'failed') logger.error({ ...line, err: error }, 'MCP tool');
        else logger.info(line, 'MCP tool');
      },
    },
    { ...exchange, signal },
  );
}

const unauthorized = () =>
  new AppError('unauthorized', 'Send an API key in the header Authorization: Bearer svc_live_…');
