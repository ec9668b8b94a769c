import { mkdirSync } from 'node:fs';
import {
  createSupervisor,
  demoStoresInstance,
  type Instance,
  type Member,
  newSecrets,
  readSettings,
  type ServiceName,
  type StartSettings,
  serviceInstances,
  supervisedServer,
} from '@shopscope/local';
import { endLeftovers, startStack } from '@shopscope/local-stack';
import { sleep } from '../wait.ts';
import { createLinks } from './links.ts';
import { createNode, type Node } from './node.ts';
import { kafkaListenersOf } from './ports.ts';
import { type Link, startToxiproxy, type Toxiproxy } from './toxiproxy.ts';

/** The whole system as real processes: services run from their sources, with links between processes when asked for. */
export interface FaultSystem {
  /** Base address and readiness of each gateway. */
  gateways: readonly { url: string; adminUrl: string }[];
  /** Direct addresses, without links. */
  direct: {
    keys: string;
    profiles: string;
    dashboard: { url: string; grpcAddress: string };
    mongodbUrl: string;
    redisPort: number;
    demoStoresUrl: string;
  };
  /** Metrics and readiness of every instance, by name. */
  adminUrls: ReadonlyMap<string, string>;
  nodes: ReadonlyMap<string, Node>;
  node(name: string): Node;
  link(name: string): Link;
  /** Links whose names match. */
  links(pattern: RegExp): Link[];
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Root folder of the checkout that runs. */
  root: string;
  stateDir: string;
  cacheDir: string;
  portBase: number;
  replicas: Partial<Record<ServiceName, number>>;
  /** Without links, no connection can be cut and Go is not needed. */
  withLinks: boolean;
  env?: Record<string, string>;
  report(line: string): void;
}

/** Delay before a process is restarted. It does not grow, because the bench causes the crashes itself. */
const restartPauseMs = 500;

export async function startSystem(options: SystemOptions): Promise<FaultSystem> {
  const settings = settingsOf(options);
  mkdirSync(settings.stateDir, { recursive: true });
  await endLeftovers(settings.stateDir);
  const ready = new Set<number>();
  const members: Member[] = [];
  const noteReady = () => {
    for (const { pid } of members) if (pid !== null) ready.add(pid);
  };
  const supervisor = createSupervisor({
    report: () => {},
    onChange: noteReady,
    sleep: () => sleep(restartPauseMs),
  });
  const stack = await startStack({
    ...settings,
    kafkaListeners: options.withLinks ? kafkaListenersOf(settings) : [],
    env: { SHOPSCOPE_STACK: 'native' },
    report: options.report,
  });
  let toxiproxy: Toxiproxy | undefined;
  const stop = async () => {
    // A suspended process cannot shut down.
    for (const { pid } of members) if (pid !== null) signal(pid, 'SIGCONT');
    await supervisor.stop();
    await stack.stop();
    await toxiproxy?.stop();
  };
  try {
    if (options.withLinks) toxiproxy = await startToxiproxy(settings);
    const secrets = newSecrets();
    const plain = serviceInstances(settings, stack, secrets, { root: options.root });
    const links = toxiproxy && (await createLinks({ settings, toxiproxy, instances: plain }));
    const run = {
      root: options.root,
      fromSources: true,
      env: (service: ServiceName, replica: number) => ({ ...links?.env(service, replica), ...options.env }),
    };
    const demoStores = demoStoresInstance(settings, run);
    const instances = [...serviceInstances(settings, stack, secrets, run), demoStores];
    const parts = stack.parts.map(supervisedServer);
    for (const added of [parts, instances.map(({ member }) => member)]) {
      await supervisor.add(added);
      members.push(...added);
      noteReady();
    }
    return describe({ settings, instances, demoStores, parts, ready, links: links?.byName ?? new Map(), stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  settings: StartSettings;
  instances: readonly Instance[];
  demoStores: Instance;
  parts: readonly Member[];
  ready: ReadonlySet<number>;
  links: ReadonlyMap<string, Link>;
  stop(): Promise<void>;
}

function describe({ settings, instances, demoStores, parts, ready, links, stop }: Started): FaultSystem {
  const named = nameInstances(instances);
  const nodes = new Map<string, Node>();
  for (const [name, { member }] of named)
    nodes.set(
      name,
      createNode(name, member, (pid) => ready.has(pid)),
    );
  for (const part of parts)
    nodes.set(
      part.name,
      createNode(part.name, part, (pid) => ready.has(pid)),
    );
  const dashboard = instances.find(({ service }) => service === 'dashboard');
  const addressOf = (url = '') => url.replace('grpc://', '');
  const urlOf = (service: ServiceName) => instances.find((instance) => instance.service === service)?.url ?? '';
  return {
    gateways: instances
      .filter(({ service }) => service === 'gateway')
      .map(({ url, adminUrl }) => ({ url: url ?? '', adminUrl: adminUrl ?? '' })),
    direct: {
      keys: addressOf(urlOf('keys')),
      profiles: addressOf(urlOf('profiles')),
      dashboard: { url: urlOf('dashboard'), grpcAddress: addressOf(dashboard?.grpcUrl) },
      mongodbUrl: `mongodb://127.0.0.1:${settings.ports.mongodb}/?directConnection=true`,
      redisPort: settings.ports.redis,
      demoStoresUrl: demoStores.url ?? '',
    },
    adminUrls: new Map([...named].flatMap(([name, { adminUrl }]) => (adminUrl ? [[name, adminUrl] as const] : []))),
    nodes,
    node: (name) => found(nodes, name),
    link: (name) => found(links, name),
    links: (pattern) => [...links.values()].filter(({ name }) => pattern.test(name)),
    stop,
  };
}

/** `metering-1`, `metering-2`, …: replicas count from 1. */
function nameInstances(instances: readonly Instance[]): Map<string, Instance> {
  const counts = new Map<string, number>();
  return new Map(
    instances.map((instance) => {
      const count = (counts.get(instance.service) ?? 0) + 1;
      counts.set(instance.service, count);
      return [`${instance.service}-${count}`, instance];
    }),
  );
}

function settingsOf({ stateDir, cacheDir, portBase, replicas }: SystemOptions): StartSettings {
  const list = Object.entries(replicas).map(([name, count]) => `${name}=${count}`);
  const env = {
    SHOPSCOPE_LOCAL_DIR: stateDir,
    SHOPSCOPE_CACHE_DIR: cacheDir,
    SHOPSCOPE_PORT_BASE: String(portBase),
  };
  return readSettings(env, list.length > 0 ? ['--replicas', list.join(',')] : []);
}

function found<T>(onlyFor: ReadonlyMap<string, T>, name: string): T {
  const value = onlyFor.get(name);
  if (!value) throw new Error(`there is no ${name}; there are ${[...onlyFor.keys()].join(', ')}`);
  return value;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
