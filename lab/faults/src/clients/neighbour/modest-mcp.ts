import { Agent, request } from 'node:http';
import type { McpMessage } from '../../checker/timeline.ts';
import { atRate } from '../../wait.ts';

const perSecond = 4;
/** This differs from the loopback addresses of the greedy neighbour. */
const address = '127.0.0.4';
const timeoutMs = 30_000;
/** The message calls a tool that bills nothing. */
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_usage', arguments: {} },
});

/** Calls a tool over MCP at an even rate, with one key, and adds each message to `messages`. */
export function startModestMcp({ url, secret }: { url: string; secret: string }, messages: McpMessage[]) {
  const agent = new Agent({ keepAlive: true });
  const sent: Promise<void>[] = [];
  let isStopped = false;
  const headers = {
    authorization: `Bearer ${secret}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const call = () =>
    new Promise<boolean>((resolve) => {
      const made = request(`${url}/mcp`, { method: 'POST', agent, headers, localAddress: address, timeout: timeoutMs });
      made.once('timeout', () => made.destroy());
      made.once('error', () => resolve(false));
      made.once('response', (response) => {
        response.toArray().then(
          (chunks: Buffer[]) =>
            resolve(response.statusCode === 200 && Buffer.concat(chunks).includes('"structuredContent"')),
          () => resolve(false),
        );
      });
      made.end(body);
    });
  const send = async () => {
    const startMs = performance.now();
    const isAnswered = await call();
    messages.push({ startMs, endMs: performance.now(), isAnswered });
  };
  const running = atRate(
    perSecond,
    () => isStopped,
    () => sent.push(send()),
  );
  return {
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(sent);
      agent.destroy();
    },
  };
}
