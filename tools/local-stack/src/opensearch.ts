import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClassArchive, classArchive, storingArchive } from './class-archive.ts';
import { quickStart, requireJava } from './java.ts';
import { type NativeNode, type NativeServerOptions, nativeNode } from './native.ts';
import { nativeNodes, nodeName } from './native-nodes.ts';
import { openSearchLibraries } from './opensearch-libraries.ts';
import { type OpenSearchPorts, type OpenSearchSettings, openSearchSettings } from './opensearch-settings.ts';
import type { StackPart } from './part.ts';

export interface NativeOpenSearchOptions extends Omit<NativeServerOptions, 'port'> {
  /** One for each node. */
  ports: readonly OpenSearchPorts[];
}

/** A start on a busy machine takes more than a minute. */
const readyTimeoutMs = 180_000;
const probeTimeoutMs = 5_000;
/** A stop takes a second. The first stop stores the classes, which takes five seconds of CPU time, or two minutes on a busy machine. */
const stopGraceMs = 180_000;

/**
 * Returns one node, or a cluster in which each node can become the cluster manager. There is no TLS and no login, because the security plugin is
 * not among the libraries.
 */
export function nativeOpenSearch(options: NativeOpenSearchOptions): StackPart {
  const { stateDir, ports, abort } = options;
  const isSingle = ports.length === 1;
  const addresses = ports.map(({ port }) => `127.0.0.1:${port}`);
  const named = ports.map((own, index) => ({ ...own, name: nodeName('opensearch', index, ports.length) }));
  const [first = ''] = addresses;
  const probe = () => probeCluster(first, ports.length);
  const nodes = named.map((own, index) =>
    openSearchNode({
      ...options,
      settings: { ...own, home: join(stateDir, 'data', own.name), nodes: named },
      writesArchive: index === 0,
      heapMaxMb: isSingle ? 512 : 256,
      probe: () => (isSingle ? probe() : probeNode(addresses[index] as string)),
    }),
  );
  return nativeNodes({ name: 'opensearch', url: `http://${addresses.join(',')}`, nodes, probe, readyTimeoutMs, abort });
}

interface NodeOptions extends NativeOpenSearchOptions {
  settings: OpenSearchSettings;
  writesArchive: boolean;
  heapMaxMb: number;
  probe(): Promise<unknown>;
}

function openSearchNode(options: NodeOptions): NativeNode {
  const { settings, stateDir, cacheDir, report, abort, heapMaxMb } = options;
  const { name, home } = settings;
  let archive: ClassArchive | undefined;
  const node = nativeNode({
    name,
    ports: [
      { port: settings.port, variable: 'SHOPSCOPE_OPENSEARCH_PORT' },
      { port: settings.transportPort, variable: 'SHOPSCOPE_OPENSEARCH_TRANSPORT_PORT' },
    ],
    stateDir,
    abort,
    readyTimeoutMs,
    stopGraceMs,
    async command() {
      const javaVersion = await requireJava('OpenSearch', 'SHOPSCOPE_OPENSEARCH_URL');
      const libraries = await openSearchLibraries({ cacheDir, report, abort });
      archive = classArchive({ libraries, javaVersion, written: join(stateDir, `${name}-classes.jsa`) });
      const file = join(stateDir, 'data', `${name}.json`);
      await mkdir(home, { recursive: true });
      await writeFile(file, openSearchSettings(settings));
      const jvm = [
        '-Xms64m',
        `-Xmx${heapMaxMb}m`,
        '-XX:+UseSerialGC',
        '-XX:+ExitOnOutOfMemoryError',
        '-Dlog4j2.level=WARN',
        ...(options.isTemporary ? quickStart : []),
        ...archive.readOptions,
        ...(options.writesArchive ? archive.writeOptions : []),
      ];
      return { command: 'java', args: [...jvm, '-cp', `${libraries}/*`, 'Launcher', file] };
    },
    probe: options.probe,
  });
  return storingArchive(node, () => archive);
}

/** A node has joined when it knows a cluster manager. Until then it responds with 503. */
async function probeNode(address: string): Promise<void> {
  await get(`http://${address}/`);
}

/** The cluster has all nodes, and the primary of every shard. */
async function probeCluster(address: string, count: number): Promise<void> {
  await get(`http://${address}/_cluster/health?wait_for_nodes=${count}&wait_for_status=yellow&timeout=1s`);
}

async function get(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(probeTimeoutMs) });
  const text = await response.text();
  if (!response.ok) throw new Error(`OpenSearch responds with ${response.status}: ${text.slice(0, 200)}`);
}
