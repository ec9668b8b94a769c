import type { GrpcClient } from '@shopscope/grpc';
import type {
  DashboardServiceService,
  KeysServiceService,
  MeteringServiceService,
  ProfilesServiceService,
  ScanSchedulerServiceService,
} from '@shopscope/proto';
import type { Output } from './output/output.ts';

export interface Option {
  /** Placeholder of the value in the help; '' for a flag, which has no value. */
  value: string;
  help: string;
  required?: boolean;
}

/** One command of the operator program. It calls RPCs of the services. */
export interface Command {
  /** The words after `npm run admin --`. */
  words: string;
  summary: string;
  /** The argument without a name, which is required. */
  operand?: { name: string; help: string };
  options: Readonly<Record<string, Option>>;
  note?: string;
  run(services: Services, input: Input, console: Console): Promise<Output>;
}

/** Clients that connect on first use. */
export interface Services {
  readonly keys: GrpcClient<typeof KeysServiceService>;
  readonly metering: GrpcClient<typeof MeteringServiceService>;
  readonly dashboard: GrpcClient<typeof DashboardServiceService>;
  readonly profiles: GrpcClient<typeof ProfilesServiceService>;
  readonly 'scan-scheduler': GrpcClient<typeof ScanSchedulerServiceService>;
}

/** What a long command tells while it works, and how it is told to end. */
export interface Console {
  /** Writes to stderr. */
  report(text: string): void;
  /** Whether stderr is a terminal, and its width. */
  isTerminal: boolean;
  columns: number | undefined;
  /** Aborts at Ctrl-C, instead of the end of the process. */
  interruption(): AbortSignal;
}

/** Reads options for commands. Every method throws a UsageError that names the option. */
export interface Input {
  need(option: string): string;
  operand: string;
  has(flag: string): boolean;
  optional(option: string): string | undefined;
  count(option: string): number | undefined;
  /** Comma-separated; empty without the option. */
  list(option: string): string[];
  /** An ISO 8601 instant, in ms since 1970. */
  instant(option: string): number | undefined;
  /** The first instant of a UTC month (YYYY-MM), in ms since 1970. */
  month(option: string): number | undefined;
  actor: string;
}
