import type { StartSettings } from '@shopscope/local';

/** Where the links listen: above the ports of the services, which lie up to 300 above the base. */
const linksFrom = 400;
const listenersFrom = 480;

/** Who reaches Kafka by a way of its own, so that it can be cut off alone. */
export const kafkaClients = ['gateway', 'keys', 'others'] as const;
export type KafkaClient = (typeof kafkaClients)[number];

/** The broker listens on `port` for these clients and tells them to come through the link on `advertisedPort`. */
export const kafkaListenersOf = (settings: StartSettings) =>
  kafkaClients.map((client, n) => ({
    name: client.toUpperCase(),
    port: settings.portBase + listenersFrom + n,
    advertisedPort: settings.portBase + listenersFrom + kafkaClients.length + n,
  }));

/** Ports for links, one after the other. */
export function linkPorts(settings: StartSettings): () => number {
  let next = settings.portBase + linksFrom;
  return () => next++;
}
