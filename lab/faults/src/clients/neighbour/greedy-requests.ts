import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { newApiKey } from '@shopscope/ids';
import { createRandom } from '../../random.ts';
import type { NeighbourCounts } from './counts.ts';
import type { NeighbourOptions } from './neighbour.ts';
import {
  batchesPerDocument,
  batchSize,
  bodyBytes,
  hangUpWithinMs,
  longInput,
  maxMcpSlowBodies,
  maxOpenBodies,
  slowReadBytes,
  slowReadEveryMs,
  testDomains,
  unsentBytes,
} from './offered-load.ts';
import { testDocument } from './test-document.ts';

/** These differ from the loopback address of the bench's clients, because the gateway counts failed keys by address. */
const workspaceAddress = '127.0.0.2';
const anonymousAddress = '127.0.0.3';
const enrichPath = '/v1/stores/enrich';
const mcpPath = '/mcp';
const mcpPing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const malformedKey = 'svc_live_malformed';

/** The requests of the greedy neighbour. Each call starts one and counts its outcome. None of them throws. */
export function createGreedyRequests(options: NeighbourOptions, counts: NeighbourCounts) {
  const { gatewayUrls, secret, testSecret, known, mcp } = options;
  const random = createRandom(options.seed).fork('neighbour');
  const gateways = gatewayUrls.map((url) => new URL(url));
  const domains = Array.from({ length: batchSize }, (_, n) => known[n % known.length]);
  const batch = JSON.stringify({ domains });
  const refresh = JSON.stringify({ domains, refresh: true });
  const large = JSON.stringify({ domains: Array(batchSize).fill(longInput) });
  const testBodies = {
    batch: JSON.stringify({ domains: testDomains }),
    scans: JSON.stringify({ domains: testDomains, refresh: true }),
    document: JSON.stringify(testDocument(testDomains, batchesPerDocument)),
  };
  const largestBody = 'x'.repeat(bodyBytes);
  const incomplete = Buffer.alloc(bodyBytes - unsentBytes, 'x');
  let agent = new Agent({ keepAlive: true });
  let sent = 0;
  let closings = 0;
  const open = new Set<ClientRequest | Socket>();
  const mcpServer = new URL(mcp.url);
  let mcpSent = 0;
  const nextMcpKey = () => mcp.secrets[mcpSent++ % mcp.secrets.length] ?? '';

  const nextGateway = () => gateways[sent++ % gateways.length] as URL;
  /** Remembers a request or socket until it closes. `onClose` is not called if the neighbour itself closes everything. */
  const track = <T extends ClientRequest | Socket>(made: T, onClose: () => void): T => {
    const closingsBefore = closings;
    open.add(made);
    made.once('close', () => {
      open.delete(made);
      if (closings === closingsBefore) onClose();
    });
    // The event `close` follows an error.
    made.on('error', () => {});
    return made;
  };
  const call = (
    extra: RequestOptions,
    body: string | undefined,
    onEnd: (status: number) => void,
    { hostname, port } = nextGateway(),
  ): ClientRequest => {
    let status = 0;
    const made = track(request({ hostname, port, agent, ...extra }), () => onEnd(status));
    made.once('response', (response: IncomingMessage) => {
      // A response that is not received completely counts as none.
      response.once('end', () => {
        status = response.statusCode ?? 0;
      });
      response.on('error', () => {});
      response.resume();
    });
    made.end(body);
    return made;
  };
  const isRefusedByLimits = (status: number) => status === 429 || status === 503;
  const countKeyed = (status: number, key: 'neighbour' | 'test' = 'neighbour') => {
    if (status >= 200 && status < 300) counts[`${key} executed`] += 1;
    else if (isRefusedByLimits(status)) counts[`${key} refused by limits`] += 1;
    else if (status === 402) counts[`${key} out of units`] += 1;
    else counts[`${key} failed`] += 1;
  };
  const countAnonymous = (status: number) => {
    counts[status === 401 || status === 429 ? 'wrong keys refused' : 'wrong keys unanswered'] += 1;
  };
  const countMcp = (status: number) => {
    if (status === 200) counts['MCP answered'] += 1;
    else if (isRefusedByLimits(status)) counts['MCP refused by limits'] += 1;
    else counts['MCP failed'] += 1;
  };
  const keyedHeaders = (key = secret) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  });
  const enrich = (body: string, onEnd: (status: number) => void) =>
    call({ method: 'POST', path: enrichPath, localAddress: workspaceAddress, headers: keyedHeaders() }, body, onEnd);
  const sendTest = (path: string, body: string | undefined) => {
    const post = { method: 'POST', path, localAddress: workspaceAddress, headers: keyedHeaders(testSecret) };
    call(post, body, (status) => countKeyed(status, 'test'));
  };
  const headOf = (host: string, length: number, headers: Readonly<Record<string, string>>, path: string = enrichPath) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Content-Length: ${length}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n');
  const connectTo = ({ hostname, port }: URL, localAddress: string) => ({
    host: hostname,
    port: Number(port),
    localAddress,
  });

  /** Opens connections whose bodies never complete, at most `max` at the same time. */
  const heldBodies = (max: number, count: 'open bodies' | 'MCP slow bodies', onCut: () => void) => {
    const held = new Set<Socket>();
    return {
      held,
      hold(server: URL, localAddress: string, partsOf: (server: URL) => (string | Buffer)[]) {
        if (held.size >= max) return;
        counts[count] += 1;
        const socket = track(connect(connectTo(server, localAddress)), onCut);
        socket.once('close', () => held.delete(socket));
        held.add(socket);
        counts[`most ${count} at once`] = Math.max(counts[`most ${count} at once`], held.size);
        for (const part of partsOf(server)) socket.write(part);
        socket.resume();
      },
    };
  };
  const openBodies = heldBodies(maxOpenBodies, 'open bodies', () => {
    counts['open bodies cut'] += 1;
  });
  const mcpSlowBodies = heldBodies(maxMcpSlowBodies, 'MCP slow bodies', () => {});

  return {
    fullBatch: () => void enrich(batch, countKeyed),
    largeInputs: () => void enrich(large, countKeyed),
    testBatch: () => sendTest(enrichPath, testBodies.batch),
    testScans: () => sendTest(enrichPath, testBodies.scans),
    testDocument: () => sendTest('/v1/graphql', testBodies.document),
    testReset: () => sendTest('/v1/test/reset', undefined),
    hangUp() {
      counts['hang-ups'] += 1;
      const made = enrich(random.chance(0.5) ? refresh : batch, () => {});
      const close = () => setTimeout(() => made.destroy(), random.between(0, hangUpWithinMs));
      made.once('finish', close);
    },
    slowRead() {
      counts['slow reads'] += 1;
      const gateway = nextGateway();
      let resume: NodeJS.Timeout | undefined;
      // The small buffer keeps the receive window small, so most of the response waits in the gateway.
      const onread = {
        buffer: Buffer.alloc(slowReadBytes),
        callback: () => {
          resume = setTimeout(() => socket.resume(), slowReadEveryMs);
          return false;
        },
      };
      const socket = track(connect({ ...connectTo(gateway, workspaceAddress), onread }), () => {
        clearTimeout(resume);
        counts['slow reads cut'] += 1;
      });
      socket.write(headOf(gateway.host, batch.length, keyedHeaders()) + batch);
    },
    wrongKey() {
      const headers = { authorization: `Bearer ${newApiKey('live')}` };
      call({ path: `/v1/stores/${known[0]}`, localAddress: anonymousAddress, headers }, undefined, countAnonymous);
    },
    malformedKey() {
      const headers = { authorization: `Bearer ${malformedKey}`, 'content-type': 'application/json' };
      const post = { method: 'POST', path: enrichPath, localAddress: anonymousAddress, headers };
      call(post, largestBody, countAnonymous);
    },
    openBody() {
      const headers = { authorization: `Bearer ${newApiKey('live')}` };
      openBodies.hold(nextGateway(), anonymousAddress, ({ host }) => [headOf(host, bodyBytes, headers), incomplete]);
    },
    mcpPing() {
      const headers = {
        authorization: `Bearer ${nextMcpKey()}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const post = { method: 'POST', path: mcpPath, localAddress: workspaceAddress, headers };
      call(post, mcpPing, countMcp, mcpServer);
    },
    mcpSlowBody() {
      mcpSlowBodies.hold(mcpServer, workspaceAddress, ({ host }) => {
        const headers = { authorization: `Bearer ${nextMcpKey()}`, 'content-type': 'application/json' };
        return [headOf(host, mcpPing.length, headers, mcpPath), mcpPing.slice(0, -1)];
      });
    },
    /** Closes every connection. Requests that end because of this are not counted. */
    closeAll() {
      closings += 1;
      for (const made of open) made.destroy();
      openBodies.held.clear();
      mcpSlowBodies.held.clear();
      agent.destroy();
      agent = new Agent({ keepAlive: true });
    },
  };
}
