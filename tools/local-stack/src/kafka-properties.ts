/**
 * A further listener of a broker, for clients behind a proxy. The broker listens on `port` and advertises
 * `advertisedPort` to its clients.
 */
export interface KafkaListener {
  name: string;
  port: number;
  advertisedPort: number;
  /** The name of the broker if there are several, for example `kafka-2`. */
  node?: string;
}

export interface BrokerProperties {
  /** Counts from 1. */
  nodeId: number;
  /** The port of every controller, in the order of the ids. */
  controllerPorts: readonly number[];
  /** Properties of the listeners. */
  network: string;
  data: string;
}

/** Listeners without encryption and authentication. */
export function plainProperties(
  { port, controllerPort }: { port: number; controllerPort: number },
  listeners: readonly KafkaListener[],
): string {
  const at = (choose: (listener: KafkaListener) => number) =>
    listeners.map((listener) => `,${listener.name}://127.0.0.1:${choose(listener)}`).join('');
  const plain = listeners.map(({ name }) => `,${name}:PLAINTEXT`).join('');
  return `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}${at((listener) => listener.port)}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}${at((listener) => listener.advertisedPort)}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT${plain}
inter.broker.listener.name=PLAINTEXT`;
}

/** The broker allocates this buffer when it starts. Its default is 128 MiB, which is half of the smallest heap used here. */
const dedupeBufferBytes = 4 * 1024 * 1024;

/**
 * `metadata.max.idle.interval.ms`: an idle controller writes no record every half second, which only further controllers need. These
 * records take two fifths of the CPU of an idle broker.
 */
const alone = ['metadata.max.idle.interval.ms=0'];
/** A broker that ends is replaced as a leader sooner than after the default of 9 s. */
const oneOfSeveral = ['min.insync.replicas=2', 'broker.session.timeout.ms=6000'];

export function serverProperties({ nodeId, controllerPorts, network, data }: BrokerProperties): string {
  const count = controllerPorts.length;
  const voters = controllerPorts.map((port, index) => `${index + 1}@127.0.0.1:${port}`).join(',');
  return `process.roles=broker,controller
node.id=${nodeId}
controller.quorum.voters=${voters}
controller.listener.names=CONTROLLER
${network}
log.dirs=${data}
log.cleaner.dedupe.buffer.size=${dedupeBufferBytes}
auto.create.topics.enable=false
default.replication.factor=${count}
offsets.topic.replication.factor=${count}
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=${count}
transaction.state.log.min.isr=${Math.min(count, 2)}
group.initial.rebalance.delay.ms=0
${(count === 1 ? alone : oneOfSeveral).join('\n')}
`;
}
