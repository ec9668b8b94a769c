import { freePort } from './ports.ts';
import type { StackOptions, StackPorts } from './stack-options.ts';

/** The ports of each server of several nodes. Redis has two servers and three Sentinels, or three servers with two ports each. */
export const portCounts: Readonly<Record<keyof StackPorts, number>> = {
  mongodb: 3,
  kafka: 3,
  kafkaController: 3,
  redis: 6,
  opensearch: 3,
  opensearchTransport: 3,
};

/** The ports of a server: consecutive ones from its own on, or free ones. */
export function portsOf({ ports, nodes = 1 }: StackOptions, name: keyof StackPorts): Promise<number[]> {
  const first = ports?.[name];
  const length = nodes === 1 ? 1 : portCounts[name];
  return Promise.all(Array.from({ length }, (_, n) => (first ? first + n : freePort())));
}
