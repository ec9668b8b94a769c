import { createDeadline, type Deadline } from '@shopscope/async';
import { ApiError, type Client, createClient, hasCode } from '@shopscope/client';
import { addressGroup } from '@shopscope/client-address';
import { AppError, isErrorCode } from '@shopscope/errors';
import { parseApiKey } from '@shopscope/ids';
import { answerMessage, type BudgetStore } from '@shopscope/mcp';
import type { Counter, Origin } from '@shopscope/telemetry';
import { limits } from '../../app/domain/throttle-limits.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { McpMessage, McpMessages } from '../outbound/mcp-messages.ts';

/**
 * The Model Context Protocol over HTTP, for programs with an API key. Each message is answered by itself.
 *
 * - A message begins with one request of the API (GET /v1/account) with the caller's key, and tools call the API with it. So keys,
 *   scopes, limits and bills are the API's, and a revoked key is refused as there.
 * - Missing, malformed and refused keys count for their network address. A key that was accepted before is not limited by it.
 * - A message waits until its key, workspace and network address have room, and it is its turn.
 * - A message is answered within {@link answerMs}: later calls of the API fail, and the tool says so.
 * - `stop` ends waits for scans, so that messages end before their connections.
 */
export interface Mcp {
  /** Throws AppError. Call `end` of the caller when the message is answered. */
  admit(token: string | undefined, request: McpRequest): Promise<McpCaller>;
  answer(caller: McpCaller, exchange: { request: Request; message: unknown }): Promise<Response>;
  stop(): void;
}

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

export interface McpParts {
  messages: McpMessages;
  budgetStore: BudgetStore;
  /** Units per key and UTC day. */
  dailyUnits: number;
  toolCalls: Counter<'tool' | 'result'>;
}

/** Within the 30 s that the proxies of an installation allow. */
const answerMs = 25_000;
const maxWaitSeconds = 20;

export function createMcp(deps: Dependencies, { messages, budgetStore, dailyUnits, toolCalls }: McpParts): Mcp {
  const { gateway, throttle, clock, logger } = deps;

  /** Without repetitions: those of the gateway client are enough, and the caller learns of 429 at once. */
  const clientOf = (apiKey: string, { address, origin }: McpRequest, deadline: Deadline) => {
    const fetch = gateway.fetchFor({ address, origin, deadline });
    // Of the address, only paths are used.
    // A function: the client refuses a text that is no key when it is created, and here that is answered as 401.
    return createClient({
      apiKey: () => apiKey,
      baseUrl: 'http://gateway',
      userAgent: 'shopscope-mcp',
      maxRetries: 0,
      fetch,
    });
  };

  const accountOf = async (token: string, client: Client) => {
    try {
      return await client.getAccount();
    } catch (error) {
      if (!hasCode(error, 'unauthorized')) return { error };
      messages.forget(token);
      throw toAppError(error);
    }
  };

  return {
    async admit(token, request) {
      // The wait for a place counts too.
      const deadline = createDeadline(answerMs, { clock });
      const message = messages.begin({ token, address: request.address });
      request.signal.addEventListener('abort', message.end);
      try {
        await message.begun;
        const isWellFormed = token !== undefined && parseApiKey(token) !== undefined;
        const client = clientOf(token ?? '', request, deadline);
        const ask = async () => {
          if (!isWellFormed) throw unauthorized();
          return accountOf(token, client);
        };
        const isKnown = isWellFormed && messages.keyOf(token) !== undefined;
        const account = isKnown
          ? await ask()
          : await throttle.guard([[limits.mcpRefusalOfAddress, addressGroup(request.address)]], ask);
        if ('error' in account) throw toAppError(account.error);
        const { key, workspace, plan } = account;
        message.accept(token as string, {
          keyId: key.id,
          workspaceId: workspace.id,
          concurrency: plan.limits.concurrency,
        });
        return { ...request, keyId: key.id, client, waits: message.waits, end: message.end };
      } catch (error) {
        message.end();
        throw error;
      }
    },

    answer(caller, exchange) {
      const { client, keyId, waits } = caller;
      return answerMessage(
        {
          ...{ client, budgetStore, dailyUnits },
          keyId: async () => keyId,
          now: () => new Date(clock.now()),
          waits: { maxSeconds: maxWaitSeconds, end: waits },
          onToolCall({ tool, result, units, error }) {
            toolCalls.inc({ tool, result });
            const line = { requestId: caller.origin.requestId, keyId, tool, result, units };
            if (result === 'failed') logger.error({ ...line, err: error }, 'MCP tool');
            else logger.info(line, 'MCP tool');
          },
        },
        { ...exchange, signal: caller.signal },
      );
    },

    stop: messages.endWaits,
  };
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
