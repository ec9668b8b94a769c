import { portCounts } from '@shopscope/local-stack';

export const serviceNames = [
  'keys',
  'profiles',
  'metering',
  'scan-scheduler',
  'search',
  'subscriptions',
  'webhooks',
  'scanner',
  'gateway',
  'dashboard',
] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface PortSettings {
  portBase: number;
  ports: {
    gateway: number;
    dashboard: number;
    mongodb: number;
    kafka: number;
    kafkaController: number;
    redis: number;
    opensearch: number;
    opensearchTransport: number;
    redisTls: number;
    demoStores: number;
  };
  replicas: Record<ServiceName, number>;
  nodes: 1 | 3;
  /** Whether MongoDB, Kafka and Redis require TLS and credentials of each service. OpenSearch does not. */
  secured: boolean;
}

/** A loopback port of the system and the variable that changes it. */
export interface NeededPort {
  port: number;
  what: string;
  variable: string;
  /** Whether the system checks the readiness at this port by `fetch`. */
  fetched: boolean;
}

export const maxPort = 65_535;
/** Number of ports of one system, from the base on. */
export const portRange = 300;

export interface InstancePorts {
  /** HTTP for the services that browsers or API clients call, gRPC for the others. */
  serve: number;
  admin: number;
  /** gRPC of a service that serves both. */
  grpc?: number;
  /** The gateway's listener for the dashboard. */
  internal?: number;
}

/** Services whose first instance has a port of its own near the base. */
const isPublic = (service: ServiceName): service is 'gateway' | 'dashboard' =>
  service === 'gateway' || service === 'dashboard';

/**
 * Twenty ports per service, from 100 above the base: ten for traffic, ten for administration. Below them, from 60, the dashboard has ten
 * more for gRPC, and the gateway has ten for its internal listener.
 */
export function portsOf(settings: PortSettings, service: ServiceName, replica: number): InstancePorts {
  const first = settings.portBase + 100 + serviceNames.indexOf(service) * 20;
  const serve = isPublic(service) && replica === 0 ? settings.ports[service] : first + replica;
  const ports = { serve, admin: first + 10 + replica };
  if (service === 'gateway') return { ...ports, internal: settings.portBase + 70 + replica };
  return service === 'dashboard' ? { ...ports, grpc: settings.portBase + 60 + replica } : ports;
}

/** Ports of every service and of the demo stores. The public port is first. */
export function servicePorts(settings: PortSettings): NeededPort[] {
  const { gateway, dashboard, demoStores } = settings.ports;
  const internal = serviceNames.flatMap((service) =>
    Array.from({ length: settings.replicas[service] }, (_, replica): NeededPort[] => {
      const { serve, admin, grpc, internal } = portsOf(settings, service, replica);
      const needed = { what: service, variable: 'SHOPSCOPE_PORT_BASE' };
      // The first instances of public services are listed above under names and variables of their own.
      const hasServing = service !== 'scanner' && !(isPublic(service) && replica === 0);
      return [
        ...(hasServing ? [{ port: serve, ...needed, fetched: isPublic(service) }] : []),
        ...(grpc === undefined ? [] : [{ port: grpc, ...needed, fetched: false }]),
        ...(internal === undefined ? [] : [{ port: internal, ...needed, fetched: false }]),
        { port: admin, ...needed, fetched: true },
      ];
    }).flat(),
  );
  return [
    { port: gateway, what: 'the API', variable: 'SHOPSCOPE_GATEWAY_PORT', fetched: true },
    { port: dashboard, what: 'the dashboard', variable: 'SHOPSCOPE_DASHBOARD_PORT', fetched: true },
    { port: demoStores, what: 'the demo stores', variable: 'SHOPSCOPE_DEMO_STORES_PORT', fetched: true },
    ...internal,
  ];
}

/** Ports of the native data servers. */
function dataPorts({ ports, nodes, secured }: PortSettings): NeededPort[] {
  const servers = [
    { name: 'mongodb', what: 'MongoDB', variable: 'SHOPSCOPE_MONGODB_PORT' },
    { name: 'kafka', what: 'Kafka', variable: 'SHOPSCOPE_KAFKA_PORT' },
    { name: 'kafkaController', what: "Kafka's controller", variable: 'SHOPSCOPE_KAFKA_CONTROLLER_PORT' },
    { name: 'redis', what: 'Redis', variable: 'SHOPSCOPE_REDIS_PORT' },
    { name: 'opensearch', what: 'OpenSearch', variable: 'SHOPSCOPE_OPENSEARCH_PORT' },
    {
      name: 'opensearchTransport',
      what: "OpenSearch's transport",
      variable: 'SHOPSCOPE_OPENSEARCH_TRANSPORT_PORT',
    },
  ] as const;
  const needed = servers.flatMap(({ name, what, variable }) =>
    Array.from({ length: nodes === 1 ? 1 : portCounts[name] }, (_, n) => ({
      port: ports[name] + n,
      what,
      variable,
      // Its probe.
      fetched: name === 'opensearch',
    })),
  );
  const relay = {
    port: ports.redisTls,
    what: "Redis's TLS",
    variable: 'SHOPSCOPE_REDIS_TLS_PORT',
    fetched: false,
  };
  return [...needed, ...(secured ? [relay] : [])];
}

/** The first port that cannot work on any machine. It is known before anything is installed or started. */
export function portFault(settings: PortSettings, lowestPort: number): (NeededPort & { reason: string }) | undefined {
  const taken = new Map<number, NeededPort>();
  const last = settings.portBase + portRange - 1;
  const range = { port: last, what: `the last of its ${portRange} ports`, variable: 'SHOPSCOPE_PORT_BASE' };
  if (last > maxPort) return { ...range, fetched: false, reason: `above ${maxPort}` };
  for (const needed of [...servicePorts(settings), ...dataPorts(settings)]) {
    const other = taken.get(needed.port);
    taken.set(needed.port, needed);
    if (needed.port < lowestPort) return { ...needed, reason: `below ${lowestPort} and needs root` };
    if (needed.fetched && badPorts.has(needed.port)) return { ...needed, reason: 'a bad port of the Fetch standard' };
    if (other) return { ...needed, reason: `that of ${other.what} as well` };
  }
  return undefined;
}

/**
 * Ports that `fetch` refuses, in Node and in browsers: "bad port" in the WHATWG Fetch standard,
 * https://fetch.spec.whatwg.org/#port-blocking.
 */
export const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
