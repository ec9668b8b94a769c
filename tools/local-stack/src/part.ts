/** One data server of the stack: external, in a container or native. */
export interface StackPart {
  name: 'mongodb' | 'kafka' | 'redis';
  provider: 'external' | 'docker' | 'native';
  /** Connection string; for Kafka a comma-separated list of brokers. */
  url: string;
  /** Of the running native process, otherwise null. */
  readonly pid: number | null;
  /** Ends leftover processes and refuses busy ports. Cheap; called for all servers before a download starts. */
  prepare?(): Promise<void>;
  /** Starts the server, or starts it again after its end. Resolves when the server responds. */
  start(): Promise<void>;
  /** Resolves with a description when the process ends by itself. Never resolves for external servers. */
  exited(): Promise<string>;
  stop(): Promise<void>;
}
