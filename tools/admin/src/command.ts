import type { GrpcClient } from '@shopscope/grpc';
import type { KeysServiceService, MeteringServiceService } from '@shopscope/proto';
import type { Output } from './output/output.ts';

export interface Option {
  /** Stands for the value in the help. */
  value: string;
  help: string;
  required?: boolean;
}

/** One thing that an operator does from the command line, through the services' RPCs. */
export interface Command {
  /** What follows `npm run admin --`. */
  words: string;
  summary: string;
  options: Readonly<Record<string, Option>>;
  /** What the options say together, for the help. */
  note?: string;
  run(services: Services, input: Input): Promise<Output>;
}

/** Clients that connect when they are first used. */
export interface Services {
  readonly keys: GrpcClient<typeof KeysServiceService>;
  readonly metering: GrpcClient<typeof MeteringServiceService>;
}

/** Options as commands read them. Every method throws a UsageError naming the option. */
export interface Input {
  need(option: string): string;
  optional(option: string): string | undefined;
  /** A whole number. */
  count(option: string): number | undefined;
  /** Comma-separated, empty when the option is absent. */
  list(option: string): string[];
  /** An ISO 8601 instant, in ms since 1970. */
  instant(option: string): number | undefined;
  /** A UTC month as YYYY-MM: its first instant, in ms since 1970. */
  month(option: string): number | undefined;
  /** Who acts, for the audit log. */
  actor: string;
}
