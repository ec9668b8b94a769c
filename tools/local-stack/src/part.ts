/** One server of the stack, wherever it comes from. */
export interface StackPart {
  name: 'mongodb' | 'kafka' | 'redis';
  provider: 'external' | 'docker' | 'native';
  /** Connection string; for Kafka a comma-separated list of brokers. */
  url: string;
  /** Of the running native process, otherwise null. */
  readonly pid: number | null;
  /** Ends what a killed parent left behind and refuses busy ports: cheap, and done for all before anything is fetched. */
  claim?(): Promise<void>;
  /** Starts it, or starts it again after it died; resolves when it answers. */
  start(): Promise<void>;
  /** Resolves with a description when the running process ends by itself; never for servers that are not ours. */
  exited(): Promise<string>;
  stop(): Promise<void>;
}
