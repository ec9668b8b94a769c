import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '@shopscope/client';
import contract from '../../../docs/openapi.json' with { type: 'json' };
import { type BudgetStore, createMcpServer, type McpServerOptions, type ToolCall } from '../src/index.ts';

type Call = { method: string; path: string; body: unknown };
type Reply = { status?: number; body: unknown };

export const exampleOf = (path: string, method: string, status = '200') => {
  const operation = (contract.paths as never)[path]?.[method] as never as {
    responses: Record<
      string,
      { content: { 'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> } } }
    >;
  };
  const content = operation.responses[status]?.content['application/json'];
  return structuredClone(content?.example ?? Object.values(content?.examples ?? {})[0]?.value) as never;
};
const notFound = { error: { code: 'not_found', message: 'The domain is not in the corpus.', request_id: 'req_7' } };

/** A model's client, connected to a server whose API gives these replies. */
export async function connect(replies: (call: Call) => Reply | undefined, over: Partial<McpServerOptions> = {}) {
  const calls: Call[] = [];
  const toolCalls: ToolCall[] = [];
  const sums = new Map<string, number>();
  const budgetStore: BudgetStore = {
    async add({ keyId, day }, units) {
      const key = `${keyId} ${day}`;
      sums.set(key, (sums.get(key) ?? 0) + units);
      return sums.get(key) as number;
    },
  };
  const server = createMcpServer({
    keyId: async () => 'key_1',
    client: createClient({
      apiKey: 'svc_live_secret',
      baseUrl: 'https://api.example.com',
      maxRetries: 0,
      fetch: async (input, init) => {
        const url = new URL(String(input));
        const call = {
          method: init?.method ?? '',
          path: url.pathname + url.search,
          body: init?.body && JSON.parse(String(init.body)),
        };
        calls.push(call);
        const { status = 200, body } = replies(call) ?? { status: 404, body: notFound };
        return new Response(JSON.stringify(body), { status });
      },
    }),
    budgetStore,
    dailyUnits: 200,
    now: () => new Date('2026-11-24T12:00:00Z'),
    waits: { maxSeconds: 30 },
    onToolCall: (call) => toolCalls.push(call),
    ...over,
  });
  const model = new McpClient({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), model.connect(near)]);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await model.callTool({ name, arguments: args })) as CallToolResult;
  return { model, call, calls, toolCalls };
}
