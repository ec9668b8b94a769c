import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { testNamespace } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPortFree, type StackNode, type StackPart, startOpenSearch } from '../src/index.ts';

const cacheDir = resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache');
const env = { SHOPSCOPE_STACK: 'native' };

/** The members that these tests read. */
interface Answer {
  found?: boolean;
  nodes?: Record<string, { jvm: { mem: { heap_max_in_bytes: number } } }>;
  [position: number]: { node: string };
}

async function request(port: number, method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

const nodeAt = ({ nodes }: StackPart, index: number) => nodes[index] as StackNode;
const write = (port: number, id: string) => request(port, 'PUT', `/kept/_doc/${id}`, { id });
const has = async (port: number, id: string) => (await request(port, 'GET', `/kept/_doc/${id}`)).body.found;
const commandLineOf = ({ pid }: StackNode) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');

async function killed(node: StackNode): Promise<void> {
  const exited = node.exited();
  process.kill(node.pid as number, 'SIGKILL');
  expect(await exited).toBe('was ended by SIGKILL');
}

// The settings of a server that somebody else started are not those of the local stack.
describe.skipIf(process.env.SHOPSCOPE_OPENSEARCH_URL)('OpenSearch of the test run', () => {
  let port: number;
  beforeAll(async () => {
    const [first = ''] = (await testNamespace('stack').openSearchUrl()).split(',');
    port = Number(new URL(first).port);
  });

  it('OpenSearch of the local stack answers at its URL, and a mistyped name creates no index', async () => {
    const { body } = await request(port, 'GET', '/');
    expect(body).toMatchObject({
      name: expect.stringMatching(/^opensearch(-1)?$/),
      version: { number: '2.19.6' },
    });
    expect(await request(port, 'PUT', '/typing-error/_doc/1', {})).toMatchObject({ status: 404 });
  });

  it('OpenSearch of the local stack has a bounded heap', async () => {
    const { body } = await request(port, 'GET', '/_nodes/jvm');
    const heaps = Object.values(body.nodes ?? {}).map(({ jvm }) => jvm.mem.heap_max_in_bytes);
    expect(heaps).not.toEqual([]);
    // Without a bound, the heap grows up to a quarter of the memory.
    for (const bytes of heaps) expect(bytes).toBeLessThanOrEqual(512 * 1024 * 1024);
  });
});

describe('native OpenSearch', { tags: ['nightly'] }, () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'opensearch-'));
  const start = () => startOpenSearch({ stateDir, cacheDir, env, isTemporary: true });
  let stack: Awaited<ReturnType<typeof start>>;
  let node: StackNode;
  beforeAll(async () => {
    stack = await start();
    node = nodeAt(stack.opensearch, 0);
    expect(stack.opensearch.url).toBe(`http://127.0.0.1:${node.port}`);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('a native OpenSearch that was killed starts again with every document that it acknowledged', async () => {
    await request(node.port, 'PUT', '/kept', { settings: { number_of_replicas: 0 } });
    expect(await write(node.port, 'before')).toMatchObject({ status: 201 });
    await killed(node);
    await node.start();
    expect(await has(node.port, 'before')).toBe(true);
  });

  const again =
    'a native OpenSearch stops, and starts again with its documents and with the classes that an earlier node has stored';
  it(again, async () => {
    await stack.stop();
    expect(await isPortFree(node.port)).toBe(true);
    stack = await start();
    node = nodeAt(stack.opensearch, 0);
    expect(await has(node.port, 'before')).toBe(true);
    const arguments_ = commandLineOf(node);
    const [archive = ''] = arguments_.flatMap((arg) => /^-XX:SharedArchiveFile=(.*)$/.exec(arg)?.[1] ?? []);
    expect(archive).not.toBe('');
    expect(readFileSync(`/proc/${node.pid}/maps`, 'utf8')).toContain(archive);
  });
});

describe('OpenSearch of three nodes', { tags: ['nightly'] }, () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'opensearch-nodes-'));
  let stack: Awaited<ReturnType<typeof startOpenSearch>>;
  beforeAll(async () => {
    stack = await startOpenSearch({ stateDir, cacheDir, env, nodes: 3, isTemporary: true });
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it('three nodes of OpenSearch accept writes while the cluster manager is down, and the killed node joins again', async () => {
    const { nodes, url } = stack.opensearch;
    expect(nodes.map(({ name }) => name)).toEqual(['opensearch-1', 'opensearch-2', 'opensearch-3']);
    expect(url).toBe(`http://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
    const settings = { number_of_shards: 1, number_of_replicas: 2, 'unassigned.node_left.delayed_timeout': '0s' };
    await request(nodeAt(stack.opensearch, 0).port, 'PUT', '/kept?wait_for_active_shards=all', { settings });
    await write(nodeAt(stack.opensearch, 0).port, 'before');

    const { body } = await request(nodeAt(stack.opensearch, 0).port, 'GET', '/_cat/cluster_manager?format=json');
    const manager = nodes.find(({ name }) => name === body[0]?.node) as StackNode;
    const [other] = nodes.filter((each) => each !== manager) as [StackNode];
    await killed(manager);
    // A write waits up to a minute for a cluster manager and a primary.
    expect(await write(other.port, 'without')).toMatchObject({ status: 201 });
    await manager.start();
    const health = await request(
      other.port,
      'GET',
      '/_cluster/health?wait_for_status=green&wait_for_nodes=3&timeout=60s',
    );
    expect(health.body).toMatchObject({ status: 'green', timed_out: false });
    expect([await has(manager.port, 'before'), await has(manager.port, 'without')]).toEqual([true, true]);
  });
});
