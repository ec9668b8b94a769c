import { createHash } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createClient, hasCode, ShopscopeError } from '@shopscope/client';
import type { BudgetStore } from './budget.ts';
import { createMcpServer } from './server.ts';

export interface McpHandlerOptions {
  /** Address of the API for the calls of tools. */
  apiUrl: string;
  /** Public base of the handler. Requests for another host, or from a page of another origin, are refused. */
  publicUrl: string;
  budgetStore: BudgetStore;
  dailyUnits: number;
  now(): Date;
  /** Milliseconds of a clock that never jumps. */
  monotonicMs(): number;
  readPage(url: string, signal: AbortSignal): Promise<string>;
}

const maxBodyBytes = 256 * 1024;
const maxKeys = 1_000;
/** A revoked key is refused within this time, as by the API. */
const keyValidMs = 60_000;

/**
 * Answers requests of the streamable HTTP transport, each by itself: no session, no stream.
 *
 * - Host and Origin are checked here, because a page that rebinds its name could reach a server in a private network.
 * - The bearer key is checked at the API, at most every minute, and the tools call the API with it. So the limits of the API hold.
 * - Bounds: bodies of 256 KB, {@link maxKeys} checked keys, of which digests are kept.
 */
export function createMcpHandler(options: McpHandlerOptions): (request: Request) => Promise<Response> {
  const site = new URL(options.publicUrl);
  const checked = new Map<string, number>();

  const isValid = async (apiKey: string, client: ReturnType<typeof createClient>): Promise<boolean> => {
    const digest = createHash('sha256').update(apiKey).digest('base64');
    const nowMs = options.monotonicMs();
    const validUntilMs = checked.get(digest);
    if (validUntilMs !== undefined && validUntilMs > nowMs) return true;
    checked.delete(digest);
    try {
      await client.getAccount();
    } catch (error) {
      if (hasCode(error, 'unauthorized')) return false;
      throw error;
    }
    const [oldest] = checked.keys();
    if (checked.size >= maxKeys && oldest !== undefined) checked.delete(oldest);
    checked.set(digest, nowMs + keyValidMs);
    return true;
  };

  return async (request) => {
    if (hostOf(request) !== site.host) return refusal(403, 'The Host header names another host.');
    const origin = request.headers.get('origin');
    if (origin !== null && origin !== site.origin)
      return refusal(403, 'Pages of other sites may not call this server.');
    if (request.method !== 'POST') return refusal(405, 'This server answers POST.', { Allow: 'POST' });
    const [, apiKey] = /^Bearer ([\w-]{1,200})$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if (apiKey === undefined) return unauthorized();
    const message = await messageOf(request);
    if (message === 'too large') return refusal(413, `A message has at most ${maxBodyBytes} bytes.`);
    if (message === undefined) return refusal(400, 'The body is not JSON.');
    const client = createClient({ apiKey, baseUrl: options.apiUrl, userAgent: 'shopscope-mcp' });
    try {
      if (!(await isValid(apiKey, client))) return unauthorized();
    } catch (error) {
      if (!(error instanceof ShopscopeError)) throw error;
      return refusal(503, 'The API is not available.', { 'Retry-After': '1' });
    }
    const server = createMcpServer({ ...options, client });
    // No session: a server and a transport for each request.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport as never);
      return await transport.handleRequest(request, { parsedBody: message });
    } finally {
      await server.close();
    }
  };
}

const hostOf = (request: Request) => {
  const host = `http://${request.headers.get('host') ?? ''}`;
  return URL.canParse(host) ? new URL(host).host : '';
};

const unauthorized = () =>
  refusal(401, 'Send an API key: Authorization: Bearer svc_live_…', { 'WWW-Authenticate': 'Bearer' });

/** An error of the protocol without an id, because the message was not read. */
function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });
}

async function messageOf(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return 'too large';
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
