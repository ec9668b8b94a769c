import { type Instance, portsOf, type ServiceName, type StartSettings } from '@shopscope/local';
import type { Link, Toxiproxy } from './toxiproxy.ts';

/** Links listen on ports above those of the services, which are up to 300 above the base. */
const linksFrom = 400;
const listenersFrom = 480;

/** Each of these groups of services reaches Kafka through a link of its own, which can be cut alone. */
const kafkaClients = ['gateway', 'keys', 'subscriptions', 'others'] as const;

/** Returns the listeners of the broker. For each group of clients it listens on `port`, and advertises the link on `advertisedPort`. */
export const kafkaListenersOf = (settings: StartSettings) =>
  kafkaClients.map((client, n) => ({
    name: client.toUpperCase(),
    port: settings.portBase + listenersFrom + n,
    advertisedPort: settings.portBase + listenersFrom + kafkaClients.length + n,
  }));

const withDatabase = ['keys', 'profiles', 'metering', 'scan-scheduler', 'subscriptions', 'webhooks'] as const;
const calls: Readonly<Partial<Record<ServiceName, readonly ServiceName[]>>> = {
  gateway: ['keys', 'profiles', 'metering', 'scan-scheduler', 'search', 'subscriptions'],
  search: ['profiles'],
  subscriptions: ['keys', 'profiles', 'metering', 'scan-scheduler', 'search'],
  webhooks: ['subscriptions'],
  scanner: ['scan-scheduler'],
  dashboard: ['keys', 'metering', 'profiles', 'scan-scheduler', 'gateway'],
};

interface Wiring {
  settings: StartSettings;
  toxiproxy: Toxiproxy;
  /** The instances, with the addresses on which they listen. */
  instances: readonly Pick<Instance, 'service' | 'url'>[];
}

/**
 * Creates a link for every connection between two processes, for example `gateway-1>metering-2`, `metering-1>mongodb`, `keys>kafka` and
 * `gateway-2>redis`. A link can be cut, frozen, slowed and reset. Replicas count from 1.
 */
export async function createLinks({ settings, toxiproxy, instances }: Wiring) {
  const byName = new Map<string, Link>();
  let next = settings.portBase + linksFrom;
  const add = async (name: string, upstreamPort: number, port = next++) => {
    byName.set(name, await toxiproxy.link(name, port, upstreamPort));
  };
  const calledPorts = (callee: ServiceName) => {
    // The dashboard calls the internal listener of the first gateway.
    if (callee === 'gateway') return [portsOf(settings, 'gateway', 0).internal as number];
    return instances.filter(({ service }) => service === callee).map(({ url }) => portOf(url));
  };

  for (const caller of Object.keys(calls) as ServiceName[]) {
    for (let replica = 1; replica <= settings.replicas[caller]; replica++) {
      for (const callee of calls[caller] ?? []) {
        for (const [n, port] of calledPorts(callee).entries())
          await add(`${caller}-${replica}>${callee}-${n + 1}`, port);
      }
      if (caller === 'gateway') await add(`gateway-${replica}>redis`, settings.ports.redis);
    }
  }
  for (const service of withDatabase) {
    for (let replica = 1; replica <= settings.replicas[service]; replica++) {
      await add(`${service}-${replica}>mongodb`, settings.ports.mongodb);
    }
  }
  for (const [n, listener] of kafkaListenersOf(settings).entries()) {
    await add(`${kafkaClients[n]}>kafka`, listener.port, listener.advertisedPort);
  }
  return {
    byName,
    /** Returns the environment variables that make an instance connect through its links. */
    env: (service: ServiceName, replica: number) => envOf(service, replica + 1, byName),
  };
}

function envOf(service: ServiceName, replica: number, links: ReadonlyMap<string, Link>): Record<string, string> {
  const me = `${service}-${replica}`;
  const env: Record<string, string> = {};
  for (const [name, { port }] of links) {
    const [caller, callee = ''] = name.split('>');
    if (caller === me && callee === 'mongodb') {
      env.MONGODB_URL = `mongodb://127.0.0.1:${port}/?replicaSet=rs0&directConnection=true`;
    }
    if (caller === me && callee === 'redis') env.REDIS_URL = `redis://127.0.0.1:${port}`;
  }
  for (const callee of calls[service] ?? []) {
    const addresses = [...links]
      .filter(([name]) => name.startsWith(`${me}>${callee}-`))
      .map(([, { port }]) => `127.0.0.1:${port}`);
    const variable = `${callee.toUpperCase().replace('-', '_')}_ADDRESS`;
    env[variable] = addresses.length === 1 ? String(addresses[0]) : `ipv4:${addresses.join(',')}`;
  }
  const kafka = links.get(`${kafkaClients.find((client) => client === service) ?? 'others'}>kafka`);
  if (kafka) env.KAFKA_BROKERS = `127.0.0.1:${kafka.port}`;
  return env;
}

const portOf = (url: string | null) => Number(new URL((url ?? '').replace('grpc:', 'http:')).port);
