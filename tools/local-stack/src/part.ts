/** One process of a data server: the only one, or one of several. */
export interface StackNode {
  /** The name of the server if it has one node, otherwise for example `mongodb-2`. */
  name: string;
  /** Port for clients. */
  port: number;
  /** Of the running process, otherwise null. */
  readonly pid: number | null;
  /** Starts the process, or starts it again after its end. Resolves when it responds. */
  start(): Promise<void>;
  /** Resolves with a description when the process ends. */
  exited(): Promise<string>;
  stop(): Promise<void>;
}

/** One data server of the stack: external, in a container or native. */
export interface StackPart {
  name: 'mongodb' | 'kafka' | 'redis' | 'opensearch';
  provider: 'external' | 'docker' | 'native';
  /** Connection string; for Kafka a comma-separated list of brokers. Several nodes of OpenSearch are separated by commas, too. */
  url: string;
  /** Each can be ended and started separately. An external server has none. */
  nodes: readonly StackNode[];
  /** Ends leftover processes and refuses busy ports. Cheap; called for all servers before a download starts. */
  prepare?(): Promise<void>;
  /** Starts every node. Resolves when the server responds. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
