import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { kafkaData, kafkaNode } from './kafka-node.ts';
import type { KafkaListener } from './kafka-properties.ts';
import { type KafkaSecurity, superUserOptions } from './kafka-security.ts';
import type { NativeServerOptions } from './native.ts';
import { nativeNodes, nodeName } from './native-nodes.ts';
import type { StackPart } from './part.ts';

export interface KafkaOptions extends Omit<NativeServerOptions, 'port'> {
  /** One for each broker. */
  ports: readonly { port: number; controllerPort: number }[];
  listeners?: readonly KafkaListener[];
  /** Without it there is no authorization. With it there is one broker without further listeners. */
  security?: KafkaSecurity;
  heapMaxMb?: number;
}

const readyTimeoutMs = 90_000;
/** A broker leaves the cluster within this time. The last one cannot, because there is no majority of controllers any more. */
const leaveTimeoutMs = 8_000;

/** Nodes that are broker and controller (KRaft). */
export function nativeKafka(options: KafkaOptions): StackPart {
  const { stateDir, ports, listeners = [], security, heapMaxMb, abort } = options;
  const isSingle = ports.length === 1;
  const heapMb = isSingle ? { min: 256, max: heapMaxMb ?? 512 } : { min: 128, max: heapMaxMb ?? 256 };
  const names = ports.map((_, index) => nodeName('kafka', index, ports.length));
  const brokers = ports.map(({ port }) => `127.0.0.1:${port}`);
  const controllerPorts = ports.map(({ controllerPort }) => controllerPort);
  let newId: string | undefined;
  const clusterId = () => {
    newId ??= existingClusterId(names.map((name) => kafkaData(stateDir, name))) ?? randomClusterId();
    return newId;
  };
  const probe = () => withAdmin(brokers, security, probeGroupCoordinator);
  const nodes = ports.map((own, index) => {
    const name = names[index] as string;
    return kafkaNode({
      ...options,
      ...own,
      name,
      nodeId: index + 1,
      controllerPorts,
      listeners: listeners.filter(({ node = 'kafka' }) => node === name),
      security,
      heapMb,
      clusterId,
      readyTimeoutMs,
      stopGraceMs: isSingle ? undefined : leaveTimeoutMs,
      probe: isSingle ? probe : () => withAdmin([brokers[index] as string], security, probeBroker(own.port)),
    });
  });
  return nativeNodes({ name: 'kafka', url: brokers.join(','), nodes, probe, readyTimeoutMs, abort });
}

/** Consumers need the group coordinator, which may still load when the broker already lists topics. */
async function probeGroupCoordinator(admin: Admin): Promise<void> {
  await admin.listGroups();
  await admin.fetchOffsets({ groupId: 'is-the-coordinator-there' });
}

/** A broker has joined when it is among the brokers that it knows. */
const probeBroker = (port: number) => async (admin: Admin) => {
  const { brokers } = await admin.describeCluster();
  if (!brokers.some((broker) => broker.port === port)) throw new Error('the broker has not joined yet');
};

async function withAdmin(
  brokers: readonly string[],
  security: KafkaSecurity | undefined,
  use: (admin: Admin) => Promise<void>,
): Promise<void> {
  const client = new Kafka({
    brokers: [...brokers],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    ...(security && superUserOptions(security)),
  });
  const admin = client.admin();
  try {
    await admin.connect();
    await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The id in the first of the data directories that exists. */
function existingClusterId(directories: readonly string[]): string | undefined {
  const file = directories.map((directory) => join(directory, 'meta.properties')).find((path) => existsSync(path));
  return file && /^cluster\.id=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
}

/** 16 random bytes in base64url, as Kafka's tool makes them. A leading hyphen would be parsed as an option. */
function randomClusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? randomClusterId() : id;
}
