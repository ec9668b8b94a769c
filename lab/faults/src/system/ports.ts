import type { StartSettings } from '@shopscope/local';

/** Links listen above the services' ports, which lie up to 300 above the base. */
const linksFrom = 400;
const listenersFrom = 480;

/** Each of these reaches Kafka through a link of its own, which can be cut alone. */
export const kafkaClients = ['gateway', 'keys', 'others'] as const;
export type KafkaClient = (typeof kafkaClients)[number];

/** The broker listens on `port` for these clients and advertises the link on `advertisedPort` to them. */
export const kafkaListenersOf = (settings: StartSettings) =>
  kafkaClients.map((client, n) => ({
    name: client.toUpperCase(),
    port: settings.portBase + listenersFrom + n,
    advertisedPort: settings.portBase + listenersFrom + kafkaClients.length + n,
  }));

/** Returns the next free port for a link. */
export function linkPorts(settings: StartSettings): () => number {
  let next = settings.portBase + linksFrom;
  return () => next++;
}
