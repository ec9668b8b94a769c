import { userInfo } from 'node:os';
import { parseDay, parseInstant } from '@shopscope/clock';
import { UsageError } from './errors.ts';

/** The options of a command line by name. A flag is `true`. */
export type Values = Readonly<Record<string, string | true | undefined>>;

export type Input = ReturnType<typeof inputOf>;

/** Reads options for commands. Every method throws a UsageError that names the option. */
export function inputOf(values: Values, defaultActor = operatorName(), operand = '') {
  const optional = (option: string): string | undefined => {
    const value = values[option];
    return value === true ? undefined : value;
  };
  return {
    optional,
    operand,
    has: (flag: string) => values[flag] === true,
    need(option: string): string {
      const value = optional(option);
      if (!value) throw new UsageError(`--${option} is required`);
      return value;
    },
    count(option: string): number | undefined {
      const value = optional(option);
      if (value === undefined) return undefined;
      if (!/^\d{1,13}$/.test(value)) throw new UsageError(`--${option} must be a whole number`);
      return Number(value);
    },
    /** Splits the value at commas. Returns an empty list if the option is absent. */
    list(option: string): string[] {
      const entries = (optional(option) ?? '').split(',').map((entry) => entry.trim());
      return entries.filter((entry) => entry !== '');
    },
    /** An ISO 8601 instant, in ms since 1970. */
    instant(option: string): number | undefined {
      const value = optional(option);
      return value === undefined ? undefined : instantOf(option, value);
    },
    /** The first instant of a UTC month (YYYY-MM), in ms since 1970. */
    month(option: string): number | undefined {
      const value = optional(option);
      if (value === undefined) return undefined;
      const ms = parseDay(`${value}-01`);
      if (ms === undefined) throw new UsageError(`--${option} must be a month as YYYY-MM`);
      return ms;
    },
    actor: optional('actor') ?? defaultActor,
  };
}

function instantOf(option: string, value: string): number {
  const ms = parseDay(value) ?? parseInstant(value);
  if (ms !== undefined) return ms;
  throw new UsageError(`--${option} must be an ISO 8601 instant such as 2027-03-01 or 2027-03-01T12:00:00Z`);
}

/** A user id in a container may have no name. */
function operatorName(): string {
  try {
    return `operator:${userInfo().username}`;
  } catch {
    return `operator:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
