import type { GrpcClient } from '@shopscope/grpc';
import type { DashboardServiceService, KeysServiceService, MeteringServiceService } from '@shopscope/proto';
import type { Output } from './output/output.ts';

export interface Option {
  /** Placeholder of the value in the help. */
  value: string;
  help: string;
  required?: boolean;
}

/** One command of the operator program. It calls RPCs of the services. */
export interface Command {
  /** The words after `npm run admin --`. */
  words: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** A note on the options, for the help. */
  note?: string;
  run(services: Services, input: Input): Promise<Output>;
}

/** Clients that connect on first use. */
export interface Services {
  readonly keys: GrpcClient<typeof KeysServiceService>;
  readonly metering: GrpcClient<typeof MeteringServiceService>;
  readonly dashboard: GrpcClient<typeof DashboardServiceService>;
}

/** Reads options for commands. Every method throws a UsageError that names the option. */
export interface Input {
  need(option: string): string;
  optional(option: string): string | undefined;
  /** A whole number. */
  count(option: string): number | undefined;
  /** Comma-separated; empty without the option. */
  list(option: string): string[];
  /** An ISO 8601 instant, in ms since 1970. */
  instant(option: string): number | undefined;
  /** The first instant of a UTC month (YYYY-MM), in ms since 1970. */
  month(option: string): number | undefined;
  /** The actor for the audit log. */
  actor: string;
}
