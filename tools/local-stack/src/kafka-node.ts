import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaLibraries } from './artifacts.ts';
import { type ClassArchive, classArchive, storingArchive } from './class-archive.ts';
import { quickStart, requireJava } from './java.ts';
import { type KafkaListener, plainProperties, serverProperties } from './kafka-properties.ts';
import { type KafkaSecurity, scramArguments, securedProperties } from './kafka-security.ts';
import { type NativeNode, type NativeServerOptions, nativeNode } from './native.ts';
import { run } from './run.ts';
import { writeSecret, writeSecurityFiles } from './security.ts';

export interface KafkaNodeOptions extends NativeServerOptions {
  name: string;
  /** Counts from 1. */
  nodeId: number;
  controllerPort: number;
  /** The port of every controller, in the order of the ids. */
  controllerPorts: readonly number[];
  listeners: readonly KafkaListener[];
  security: KafkaSecurity | undefined;
  heapMb: { min: number; max: number };
  /** Of the cluster, when the data directory is created. */
  clusterId(): string;
  probe(): Promise<void>;
  readyTimeoutMs: number;
  stopGraceMs: number | undefined;
}

const shortLivedJvmOptions = [...quickStart, '-XX:+UseSerialGC'];

/** A process that is broker and controller (KRaft). */
export function kafkaNode(options: KafkaNodeOptions): NativeNode {
  const { name, nodeId, port, controllerPort, listeners, security, heapMb, stateDir, cacheDir, report, abort } =
    options;
  const data = kafkaData(stateDir, name);
  const properties = join(stateDir, 'data', `${name}.properties`);
  let archive: ClassArchive | undefined;
  const node = nativeNode({
    name,
    ports: [
      { port, variable: 'SHOPSCOPE_KAFKA_PORT' },
      { port: controllerPort, variable: 'SHOPSCOPE_KAFKA_CONTROLLER_PORT' },
      ...listeners.map((listener) => ({ port: listener.port, variable: 'SHOPSCOPE_PORT_BASE' })),
    ],
    stateDir,
    abort,
    readyTimeoutMs: options.readyTimeoutMs,
    stopGraceMs: options.stopGraceMs,
    async command() {
      const javaVersion = await requireJava('Kafka', 'SHOPSCOPE_KAFKA_BROKERS');
      const libraries = await kafkaLibraries({ cacheDir, report, abort });
      const classpath = `${libraries}/*`;
      archive = classArchive({ libraries, javaVersion, written: join(stateDir, `${name}-classes.jsa`) });
      const { readOptions, writeOptions } = archive;
      await mkdir(data, { recursive: true });
      const network = security
        ? securedProperties(options, security, await writeSecurityFiles(join(stateDir, 'kafka-tls'), security))
        : plainProperties(options, listeners);
      await writeSecret(properties, serverProperties({ ...options, network, data }));
      if (!existsSync(join(data, 'meta.properties'))) {
        const format = ['kafka.tools.StorageTool', 'format', '-t', options.clusterId(), '-c', properties];
        const users = security ? scramArguments(security) : [];
        await run('java', [...shortLivedJvmOptions, ...readOptions, '-cp', classpath, ...format, ...users], {
          timeoutMs: 120_000,
          abort,
        });
      }
      const heap = [
        `-Xms${heapMb.min}m`,
        `-Xmx${heapMb.max}m`,
        '-XX:+UseSerialGC',
        ...(options.isTemporary ? quickStart : []),
        ...readOptions,
        ...(nodeId === 1 ? writeOptions : []),
      ];
      return { command: 'java', args: [...heap, '-cp', classpath, 'kafka.Kafka', properties] };
    },
    probe: options.probe,
  });
  return storingArchive(node, () => archive);
}

export const kafkaData = (stateDir: string, name: string) => join(stateDir, 'data', name);
