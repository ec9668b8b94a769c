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
  supervisedNode,
} from '@shopscope/local';
import { endLeftovers, type Stack, startStack } from '@shopscope/local-stack';
import { sleep } from '../wait.ts';
import type { FormOptions } from './form.ts';
import { type HeldMember, holdable } from './held-member.ts';
import { createLinks, kafkaListenersOf } from './links.ts';
import { createNode } from './node.ts';
import { createServers } from './servers/servers.ts';
import { type Link, startToxiproxy, type Toxiproxy } from './toxiproxy.ts';

/** The whole system as real processes. Services run from their sources, and connect through links if `withLinks` is true. */
export type FaultSystem = Awaited<ReturnType<typeof startSystem>>;

export interface SystemOptions extends FormOptions {
  /** The root folder of the checkout that runs. */
  root: string;
  stateDir: string;
  cacheDir: string;
  portBase: number;
  report(line: string): void;
}

/** The pause before a process is restarted. It does not grow, because the bench causes the crashes itself. */
const restartPauseMs = 500;

export async function startSystem(options: SystemOptions) {
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
    withOpenSearch: options.withSearch,
    kafkaListeners: options.withLinks ? kafkaListenersOf(settings) : [],
    env: { SHOPSCOPE_STACK: 'native' },
    report: options.report,
  });
  let toxiproxy: Toxiproxy | undefined;
  const parts = stack.parts.flatMap(({ nodes }) => nodes).map((node) => holdable(supervisedNode(node)));
  const stop = async () => {
    for (const part of parts) part.release();
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
    for (const added of [parts, instances.map(({ member }) => member)]) {
      await supervisor.add(added);
      members.push(...added);
      noteReady();
    }
    const isReady = (pid: number) => ready.has(pid);
    return {
      root: options.root,
      ...describe({ settings, stack, instances, demoStores, parts, isReady, links: links?.byName ?? new Map() }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  settings: StartSettings;
  stack: Stack;
  instances: readonly Instance[];
  demoStores: Instance;
  parts: readonly HeldMember[];
  isReady(pid: number): boolean;
  links: ReadonlyMap<string, Link>;
}

function describe({ settings, stack, instances, demoStores, parts, isReady, links }: Started) {
  const named = nameInstances(instances);
  const members = [
    ...[...named].map(([name, { member }]) => [name, member] as const),
    ...parts.map((part) => [part.name, part] as const),
  ];
  const nodes = new Map(members.map(([name, member]) => [name, createNode(name, member, isReady)]));
  const instanceOf = (service: ServiceName) => instances.find((instance) => instance.service === service);
  const addressOf = (url: string | null | undefined) => (url ?? '').replace('grpc://', '');
  return {
    /** The base address and the admin address of each gateway. */
    gateways: instances
      .filter(({ service }) => service === 'gateway')
      .map(({ url, adminUrl }) => ({ url: url ?? '', adminUrl: adminUrl ?? '' })),
    /** Addresses that lead to the processes directly, without links. */
    direct: {
      keys: addressOf(instanceOf('keys')?.url),
      profiles: addressOf(instanceOf('profiles')?.url),
      webhooks: addressOf(instanceOf('webhooks')?.url),
      dashboard: { url: instanceOf('dashboard')?.url ?? '', grpcAddress: addressOf(instanceOf('dashboard')?.grpcUrl) },
      mongodbUrl: stack.mongodb.url,
      redisPort: settings.ports.redis,
      demoStoresUrl: demoStores.url ?? '',
    },
    /** The admin address of every instance, by name. */
    adminUrls: new Map([...named].flatMap(([name, { adminUrl }]) => (adminUrl ? [[name, adminUrl] as const] : []))),
    nodes,
    servers: createServers(stack),
    node(name: string) {
      const node = nodes.get(name);
      if (!node) throw new Error(`there is no ${name}; there are ${[...nodes.keys()].join(', ')}`);
      return node;
    },
    /** Returns the process of a data server, whose restart can be postponed. */
    part(name: string) {
      const part = parts.find((candidate) => candidate.name === name);
      if (!part) throw new Error(`there is no data server ${name}`);
      return part;
    },
    /** Returns the links whose names match. */
    links: (pattern: RegExp) => [...links.values()].filter(({ name }) => pattern.test(name)),
  };
}

/** Names the instances `metering-1`, `metering-2` and so on. Replicas count from 1. */
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

function settingsOf({ stateDir, cacheDir, portBase, replicas, redisForm }: SystemOptions): StartSettings {
  const list = Object.entries(replicas).map(([name, count]) => `${name}=${count}`);
  const env = {
    SHOPSCOPE_LOCAL_DIR: stateDir,
    SHOPSCOPE_CACHE_DIR: cacheDir,
    SHOPSCOPE_PORT_BASE: String(portBase),
  };
  const nodes = redisForm ? ['--nodes', '3', '--redis', redisForm] : [];
  return readSettings(env, [...(list.length > 0 ? ['--replicas', list.join(',')] : []), ...nodes]);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
