import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { kafkaLibraries } from './artifacts.ts';
import { type ClassArchive, classArchive } from './class-archive.ts';
import { LocalStackError } from './error.ts';
import { type KafkaSecurity, scramArguments, securedProperties, superUserOptions } from './kafka-security.ts';
import { type NativeServerOptions, nativePart } from './native.ts';
import type { StackPart } from './part.ts';
import { run } from './run.ts';
import { writeSecret, writeSecurityFiles } from './security.ts';

/**
 * A further listener of the broker, for clients behind a proxy. The broker listens on `port` and advertises
 * `advertisedPort` to its clients.
 */
export interface KafkaListener {
  name: string;
  port: number;
  advertisedPort: number;
}

export interface KafkaOptions extends NativeServerOptions {
  controllerPort: number;
  listeners?: readonly KafkaListener[];
  /** Without it there is no authorization. With it there are no further listeners. */
  security?: KafkaSecurity;
  heapMaxMb?: number;
}

/** One node that is broker and controller (KRaft). */
export function nativeKafka(options: KafkaOptions): StackPart {
  const { stateDir, cacheDir, port, controllerPort, listeners = [], security, report, abort, isTemporary } = options;
  const data = join(stateDir, 'data', 'kafka');
  const properties = join(stateDir, 'kafka.properties');
  let archive: ClassArchive | undefined;
  const part = nativePart({
    name: 'kafka',
    url: `127.0.0.1:${port}`,
    ports: [
      { port, variable: 'SHOPSCOPE_KAFKA_PORT' },
      { port: controllerPort, variable: 'SHOPSCOPE_KAFKA_CONTROLLER_PORT' },
      ...listeners.map((listener) => ({ port: listener.port, variable: 'SHOPSCOPE_PORT_BASE' })),
    ],
    stateDir,
    abort,
    readyTimeoutMs: 90_000,
    async command() {
      const javaVersion = await requireJava();
      const libraries = await kafkaLibraries({ cacheDir, report, abort });
      const classpath = `${libraries}/*`;
      archive = classArchive({ libraries, javaVersion, stateDir });
      const { readOptions, writeOptions } = archive;
      await mkdir(data, { recursive: true });
      const network = security
        ? securedProperties(options, security, await writeSecurityFiles(join(stateDir, 'kafka-tls'), security))
        : plainProperties(port, controllerPort, listeners);
      await writeSecret(properties, serverProperties(network, controllerPort, data));
      if (!existsSync(join(data, 'meta.properties'))) {
        const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId(), '-c', properties];
        const users = security ? scramArguments(security) : [];
        await run('java', [...shortLivedJvmOptions, ...readOptions, '-cp', classpath, ...format, ...users], {
          timeoutMs: 120_000,
          abort,
        });
      }
      const heap = [
        '-Xms256m',
        `-Xmx${options.heapMaxMb ?? 512}m`,
        '-XX:+UseSerialGC',
        ...(isTemporary ? quickStart : []),
        ...readOptions,
        ...writeOptions,
      ];
      return { command: 'java', args: [...heap, '-cp', classpath, 'kafka.Kafka', properties] };
    },
    probe: () => probeGroupCoordinator(port, security),
  });
  return {
    ...part,
    async stop() {
      await part.stop();
      for (const node of part.nodes) {
        // A broker that was killed may have written a part of the archive.
        if (node.pid !== null && (await node.exited()).startsWith('exited')) await archive?.store();
      }
    },
  };
}

/** Without the optimizing compiler, whose work pays only in a long life. The start takes half of the CPU, and a run of tests two thirds. */
const quickStart = ['-XX:TieredStopAtLevel=1'];
const shortLivedJvmOptions = [...quickStart, '-XX:+UseSerialGC'];

/** Consumers need the group coordinator, which may still load when the broker already lists topics. */
async function probeGroupCoordinator(port: number, security: KafkaSecurity | undefined): Promise<void> {
  const client = new Kafka({
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
    ...(security && superUserOptions(security)),
  });
  const admin = client.admin();
  try {
    await admin.connect();
    await admin.listGroups();
    await admin.fetchOffsets({ groupId: 'is-the-coordinator-there' });
  } finally {
    await admin.disconnect();
  }
}

/** 16 random bytes in base64url, as Kafka's tool makes them. A leading hyphen would be parsed as an option. */
function clusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
}

/** Resolves to the version. */
async function requireJava(): Promise<string> {
  // `java -version` writes to standard error, `--version` (from Java 9 on) to standard output.
  const output = await run('java', ['--version'], { timeoutMs: 15_000 }).catch(() => '');
  const version = /^\S+ (\d[\w.+-]*)/.exec(output)?.[1] ?? '0';
  const major = Number.parseInt(version, 10);
  if (major >= 17) return version;
  const found = major === 0 ? 'none was found' : `version ${major} was found`;
  throw new LocalStackError(
    `Kafka needs a JDK of version 17 or newer on PATH and ${found}; install one, or set SHOPSCOPE_KAFKA_BROKERS.`,
  );
}

const plainProperties = (port: number, controllerPort: number, listeners: readonly KafkaListener[]) => {
  const at = (choose: (listener: KafkaListener) => number) =>
    listeners.map((listener) => `,${listener.name}://127.0.0.1:${choose(listener)}`).join('');
  const plain = listeners.map(({ name }) => `,${name}:PLAINTEXT`).join('');
  return `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${at((listener) => listener.port)}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}${at((listener) => listener.advertisedPort)}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT${plain}
inter.broker.listener.name=PLAINTEXT`;
};

/** The broker allocates this buffer when it starts. Its default is 128 MiB, which is half of the smallest heap used here. */
const dedupeBufferBytes = 4 * 1024 * 1024;

/**
 * `metadata.max.idle.interval.ms`: an idle controller writes no record every half second, which only further controllers need. These
 * records take two fifths of the CPU of an idle broker.
 */
const serverProperties = (network: string, controllerPort: number, data: string) => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
${network}
log.dirs=${data}
log.cleaner.dedupe.buffer.size=${dedupeBufferBytes}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
metadata.max.idle.interval.ms=0
`;
