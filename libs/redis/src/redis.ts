import type { Logger, Registry } from '@shopscope/telemetry';
import type { Redis as IoRedis } from 'ioredis';

/**
 * A connection to one server, to the primary that Sentinels name, or to Redis Cluster. It fails fast. The service decides how it works
 * without Redis.
 *
 * - There is no offline queue. A command is sent again only if a node of a cluster redirected it. Each command has a time limit.
 * - The commands of one event-loop turn are pipelined, except in a cluster: a pipeline of which one command is redirected would fail.
 * - The connection is lost -> commands fail at once; `available` is false. It is opened again after 100 ms, with pauses up to 1 s.
 * - The server sends nothing -> commands fail after their time limit; a heartbeat sets `available` to false within two seconds. After 3 s
 *   of silence a new connection is opened.
 * - The server restarts or is flushed -> scripts are sent again.
 * - The server is a replica (a failover, a planned switch) -> `available` is false within one heartbeat. A heartbeat or a refused write
 *   connects anew, by the name of the server or by the Sentinels, until a primary responds.
 * - A node of a cluster fails -> only the commands for its slots fail. A slot has moved -> commands follow the redirection. A script of
 *   which only some keys have moved is tried again, and fails shortly before its time limit.
 * - A command exceeds its time limit -> its outcome is unknown: it may have been executed.
 * - The memory of each node is read every 10 s for the metrics. If it cannot be read, the metrics keep their last value.
 * - The servers must have an append-only file and no eviction.
 */
export interface Redis {
  /** In a cluster it is the client of the cluster, which has the same commands. */
  client: IoRedis;
  /** False while a node does not respond, or is a replica. */
  readonly available: boolean;
  /** The number of slots: 1 unless Redis is a cluster. Keys of one script are in one slot. */
  readonly slots: number;
  slotOf(key: string): number;
  /** A key in this slot, which begins with `name`. */
  keyIn(slot: number, name: string): string;
  /** A key of each node that serves slots, which begins with `name`. */
  keysOfNodes(name: string): string[];
  /** The node that serves the key. A single server is one node, and so are a primary and its replicas. */
  nodeOf(key: string): RedisNode;
  /** Waits for commands in progress, within their time limit, and disconnects. */
  close(): Promise<void>;
}

export interface RedisNode {
  /** The address of a node of a cluster, otherwise `primary`. */
  readonly id: string;
  readonly available: boolean;
}

export interface RedisAddress {
  host: string;
  port: number;
}

export interface RedisCredentials {
  username?: string;
  password: string;
}

export type RedisServers =
  | { url: string }
  | { sentinels: readonly RedisAddress[]; primaryName: string; sentinelCredentials?: RedisCredentials }
  | { cluster: readonly RedisAddress[] };

export interface RedisConnectionOptions {
  /** An alternative to credentials in the URL. */
  credentials?: RedisCredentials;
  /** Enables TLS: the trusted authorities, and the client certificate for servers that request it, as PEM. */
  tls?: { ca?: string; cert?: string; key?: string };
  /** Prefix of every key in scripts and commands. */
  keyPrefix: string;
  /** The purpose of the connection: the label `use` of its metrics. A second connection of a process needs it. */
  use?: string;
  logger: Logger;
  registry: Registry;
  /** Default 500 ms. */
  commandTimeoutMs?: number;
  /** Default 1,000 ms. */
  heartbeatMs?: number;
  /** Default 10,000 ms. */
  memoryIntervalMs?: number;
}

export type RedisOptions = RedisServers & RedisConnectionOptions;
