export interface OpenSearchPorts {
  port: number;
  transportPort: number;
}

export interface OpenSearchSettings extends OpenSearchPorts {
  name: string;
  /** The directory of the node. */
  home: string;
  /** All nodes, with the ports of each. */
  nodes: readonly { name: string; transportPort: number }[];
}

/**
 * Limits in bytes, because a large disk still has enough room when it exceeds the default of 95 percent. Below `flood_stage`, every index with a
 * shard on the node is read-only until there is room again.
 */
const freeSpace = { low: '1gb', high: '512mb', flood_stage: '256mb' };

/** Returns the settings file of a node as JSON, which is valid YAML. */
export function openSearchSettings({ name, home, port, transportPort, nodes }: OpenSearchSettings): string {
  const alone = { 'discovery.type': 'single-node' };
  const oneOfSeveral = {
    'cluster.initial_cluster_manager_nodes': nodes.map((node) => node.name),
    'discovery.seed_hosts': nodes.map((node) => `127.0.0.1:${node.transportPort}`),
  };
  const watermark = 'cluster.routing.allocation.disk.watermark';
  return JSON.stringify(
    {
      'cluster.name': 'shopscope',
      'node.name': name,
      'path.home': home,
      'path.data': `${home}/data`,
      'path.logs': `${home}/logs`,
      'network.host': '127.0.0.1',
      'http.port': port,
      'transport.port': transportPort,
      'http.type': 'netty4',
      'transport.type': 'netty4',
      ...(nodes.length === 1 ? alone : oneOfSeveral),
      // Otherwise a mistyped name would create an index.
      'action.auto_create_index': false,
      ...Object.fromEntries(Object.entries(freeSpace).map(([level, bytes]) => [`${watermark}.${level}`, bytes])),
      // The serial collector leaves garbage in the heap until the heap is full. With `true`, OpenSearch would count the garbage as used memory and
      // refuse requests.
      'indices.breaker.total.use_real_memory': false,
    },
    null,
    2,
  );
}
