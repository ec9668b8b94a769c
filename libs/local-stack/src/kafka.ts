import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { kafkaLibraries } from './artifacts.ts';
import { LocalStackError } from './error.ts';
import type { NativeOptions } from './mongodb.ts';
import { nativePart } from './native.ts';
import type { StackPart } from './part.ts';
import { run } from './run.ts';

/**
 * A further way to the broker, for clients that reach it through something in between: the broker listens on `port` and
 * tells whoever comes in there to come again on `advertisedPort`.
 */
export interface KafkaListener {
  /** Capital letters. */
  name: string;
  port: number;
  advertisedPort: number;
}

export interface KafkaOptions extends NativeOptions {
  controllerPort: number;
  listeners?: readonly KafkaListener[];
}

/** One node that is broker and controller (KRaft), in at most 512 MB of heap. */
export function nativeKafka(options: KafkaOptions): StackPart {
  const { stateDir, cacheDir, port, controllerPort, listeners = [], report, signal } = options;
  const data = join(stateDir, 'data', 'kafka');
  const properties = join(stateDir, 'kafka.properties');
  return nativePart({
    name: 'kafka',
    url: `127.0.0.1:${port}`,
    ports: [
      { port, variable: 'SHOPSCOPE_KAFKA_PORT' },
      { port: controllerPort, variable: 'SHOPSCOPE_KAFKA_CONTROLLER_PORT' },
      ...listeners.map((listener) => ({ port: listener.port, variable: 'SHOPSCOPE_PORT_BASE' })),
    ],
    stateDir,
    signal,
    readyTimeoutMs: 90_000,
    async command() {
      await needJava();
      const classpath = `${await kafkaLibraries({ cacheDir, report, signal })}/*`;
      await mkdir(data, { recursive: true });
      await writeFile(properties, serverProperties(port, controllerPort, data, listeners));
      if (!existsSync(join(data, 'meta.properties'))) {
        const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId(), '-c', properties];
        await run('java', ['-cp', classpath, ...format], { timeoutMs: 60_000, signal });
      }
      const heap = ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC'];
      return { command: 'java', args: [...heap, '-cp', classpath, 'kafka.Kafka', properties] };
    },
    answers: () => answersGroups(port),
  });
}

/** A broker that lists topics may still be loading its group coordinator; consumers need both. */
async function answersGroups(port: number): Promise<void> {
  const client = new Kafka({ brokers: [`127.0.0.1:${port}`], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  const admin = client.admin();
  try {
    await admin.connect();
    await admin.listGroups();
    await admin.fetchOffsets({ groupId: 'is-the-coordinator-there' });
  } finally {
    await admin.disconnect();
  }
}

/** 16 random bytes in base64url, as the broker's own tool makes them; a leading hyphen would read as an option. */
function clusterId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? clusterId() : id;
}

async function needJava(): Promise<void> {
  // `java -version` answers on standard error, `--version` (from 9 on) on standard output.
  const version = await run('java', ['--version'], { timeoutMs: 15_000 }).catch(() => '');
  const major = Number(/^\S+ (\d+)/.exec(version)?.[1] ?? 0);
  if (major >= 17) return;
  const found = major === 0 ? 'none was found' : `version ${major} was found`;
  throw new LocalStackError(
    `Kafka needs a JDK of version 17 or newer on PATH and ${found}; install one, or set SHOPSCOPE_KAFKA_BROKERS.`,
  );
}

const serverProperties = (port: number, controllerPort: number, data: string, listeners: readonly KafkaListener[]) => {
  const at = (choose: (listener: KafkaListener) => number) =>
    listeners.map((listener) => `,${listener.name}://127.0.0.1:${choose(listener)}`).join('');
  const plain = listeners.map(({ name }) => `,${name}:PLAINTEXT`).join('');
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${at((listener) => listener.port)}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}${at((listener) => listener.advertisedPort)}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT${plain}
inter.broker.listener.name=PLAINTEXT
log.dirs=${data}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`;
};
