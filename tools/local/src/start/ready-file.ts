import type { Stack, StackPart } from '@shopscope/local-stack';
import { certificatesDirectory, tlsVariables } from '../certificates/certificates.ts';
import { dashboardUrl, type Instance } from './services.ts';
import type { StartSettings } from './settings.ts';
import { type LocalState, writeWhole } from './state.ts';

interface ReadyInstance {
  pid: number | null;
  url: string | null;
  /** Only where `url` is not the gRPC address. */
  grpc_url?: string;
  admin_url: string | null;
}

/** A file with addresses and pids for other programs. It is rewritten when a pid changes and removed on stop. */
export function writeReadyFile(
  settings: StartSettings,
  state: LocalState,
  stack: Stack,
  instances: readonly Instance[],
): void {
  const nodesOf = ({ nodes }: StackPart) => ({
    /** Of the first node. */
    pid: nodes[0]?.pid ?? null,
    nodes: nodes.map(({ pid, port }) => ({ pid, port })),
  });
  const services: Record<string, ReadyInstance[]> = {};
  const demoStores = instances.find(({ service }) => service === 'demo-stores');
  for (const { service, member, url, grpcUrl, adminUrl } of instances) {
    if (service === 'demo-stores') continue;
    services[service] ??= [];
    services[service].push({ pid: member.pid, url, ...(grpcUrl && { grpc_url: grpcUrl }), admin_url: adminUrl });
  }
  const ready = {
    api: { base_url: `http://127.0.0.1:${settings.ports.gateway}` },
    keys: state.keys,
    workspace_id: state.workspaceId,
    dashboard: { base_url: dashboardUrl(settings), ...state.people },
    ...(settings.tls && { operator_tls: tlsVariables(certificatesDirectory(settings.stateDir), 'operator') }),
    demo_domains: state.domains ?? [],
    services,
    demo_stores: { pid: demoStores?.member.pid ?? null, url: demoStores?.url ?? null },
    stack: {
      mongodb: { url: stack.mongodb.url, ...nodesOf(stack.mongodb) },
      kafka: { brokers: stack.kafka.url, ...nodesOf(stack.kafka) },
      redis: { url: stack.redis.url, ...nodesOf(stack.redis) },
      ...(stack.opensearch && { opensearch: { url: stack.opensearch.url, ...nodesOf(stack.opensearch) } }),
    },
  };
  writeWhole(settings.readyFile, `${JSON.stringify(ready, null, 2)}\n`, 0o600);
}
