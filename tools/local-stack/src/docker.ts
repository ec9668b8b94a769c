import { createHash } from 'node:crypto';
import { dayMs } from '@shopscope/clock';
import type { GenericContainer, StartedTestContainer } from 'testcontainers';
import { seriesOf, serverVersions } from './artifacts.ts';
import type { StackNode, StackPart } from './part.ts';
import { run } from './run.ts';

/**
 * The stack in containers, for machines with a Docker engine.
 *
 * - Published images, with the settings of the native stack.
 * - Data: a named volume per state directory, so it outlives the container.
 * - Killed parent -> testcontainers removes the containers.
 */
export async function isDockerAvailable(): Promise<boolean> {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/** Name of the data volume of a server for a state directory. */
export function dockerVolume(name: StackPart['name'], stateDir: string): string {
  return `shopscope-${createHash('sha256').update(stateDir).digest('hex').slice(0, 12)}-${name}`;
}

/** Removes the data volumes of a state directory. Without Docker it does nothing. */
export async function removeDockerVolumes(stateDir: string): Promise<void> {
  for (const name of ['mongodb', 'kafka', 'redis', 'opensearch'] as const) {
    await run('docker', ['volume', 'rm', '--force', dockerVolume(name, stateDir)], { timeoutMs: 15_000 }).catch(
      () => '',
    );
  }
}

const weekMs = 7 * dayMs;

function containerPart(
  name: StackPart['name'],
  port: number,
  url: string,
  container: () => Promise<GenericContainer>,
  afterStart: (started: StartedTestContainer) => Promise<unknown> = async () => {},
): StackPart {
  let started: StartedTestContainer | undefined;
  let pid: number | null = null;
  const node: StackNode = {
    name,
    port,
    get pid() {
      return pid;
    },
    async start() {
      await started?.stop().catch(() => {});
      started = await (await container()).start();
      await afterStart(started);
      const state = await run('docker', ['inspect', '--format', '{{.State.Pid}}', started.getId()], {
        timeoutMs: 15_000,
      });
      pid = Number(state) || null;
    },
    // Only the end of a container needs the command line client. Without the client it is not noticed.
    exited: () =>
      run('docker', ['wait', started?.getId() ?? ''], { timeoutMs: weekMs }).then(
        (code) => `exited with code ${code.trim()}`,
        () => new Promise<string>(() => {}),
      ),
    async stop() {
      await started?.stop().catch(() => {});
      started = undefined;
      pid = null;
    },
  };
  return { name, provider: 'docker', url, nodes: [node], start: node.start, stop: node.stop };
}

export function dockerMongodb(port: number, stateDir: string): StackPart {
  const initiate = `try { rs.status() } catch { rs.initiate({_id:'rs0',members:[{_id:0,host:'127.0.0.1:27017'}]}) }; while (!db.hello().isWritablePrimary) sleep(100)`;
  return containerPart(
    'mongodb',
    port,
    `mongodb://127.0.0.1:${port}/?replicaSet=rs0&directConnection=true`,
    async () => {
      const { GenericContainer, Wait } = await import('testcontainers');
      return new GenericContainer(`mongo:${seriesOf(serverVersions.mongodb)}`)
        .withCommand(['mongod', '--replSet', 'rs0', '--bind_ip_all'])
        .withBindMounts([{ source: dockerVolume('mongodb', stateDir), target: '/data/db' }])
        .withExposedPorts({ container: 27017, host: port })
        .withWaitStrategy(Wait.forLogMessage('Waiting for connections'));
    },
    (started) => started.exec(['mongosh', '--quiet', '--eval', initiate]),
  );
}

export function dockerRedis(port: number, stateDir: string): StackPart {
  return containerPart('redis', port, `redis://127.0.0.1:${port}`, async () => {
    const { GenericContainer } = await import('testcontainers');
    return new GenericContainer(`redis:${seriesOf(serverVersions.redis)}`)
      .withCommand(['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'])
      .withBindMounts([{ source: dockerVolume('redis', stateDir), target: '/data' }])
      .withExposedPorts({ container: 6379, host: port });
  });
}

export function dockerKafka(port: number, stateDir: string): StackPart {
  return containerPart('kafka', port, `127.0.0.1:${port}`, async () => {
    const { GenericContainer, Wait } = await import('testcontainers');
    return new GenericContainer(`apache/kafka:${serverVersions.kafka}`)
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
        KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_LOG_DIRS: '/var/lib/kafka/data',
      })
      .withBindMounts([{ source: dockerVolume('kafka', stateDir), target: '/var/lib/kafka/data' }])
      .withExposedPorts({ container: port, host: port })
      .withWaitStrategy(Wait.forLogMessage('Kafka Server started'));
  });
}

export function dockerOpenSearch(port: number, stateDir: string): StackPart {
  return containerPart('opensearch', port, `http://127.0.0.1:${port}`, async () => {
    const { GenericContainer, Wait } = await import('testcontainers');
    return new GenericContainer(`opensearchproject/opensearch:${serverVersions.opensearch}`)
      .withEnvironment({
        'discovery.type': 'single-node',
        'action.auto_create_index': 'false',
        DISABLE_SECURITY_PLUGIN: 'true',
        DISABLE_INSTALL_DEMO_CONFIG: 'true',
        OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m',
      })
      .withBindMounts([{ source: dockerVolume('opensearch', stateDir), target: '/usr/share/opensearch/data' }])
      .withExposedPorts({ container: 9200, host: port })
      .withWaitStrategy(Wait.forHttp('/_cluster/health?wait_for_status=yellow&timeout=1s', 9200).forStatusCode(200));
  });
}
