import { userInfo } from 'node:os';
import { parseDay, parseInstant } from '@shopscope/clock';
import type { Input } from './command.ts';
import { UsageError } from './errors.ts';

/** Given options by name. A flag is `true`. */
export type Values = Readonly<Record<string, string | true | undefined>>;

export function inputOf(values: Values, defaultActor = operatorName(), operand = ''): Input {
  const optional = (option: string): string | undefined => {
    const value = values[option];
    return value === true ? undefined : value;
  };
  return {
    optional,
    operand,
    has: (flag) => values[flag] === true,
    need(option) {
      const value = optional(option);
      if (!value) throw new UsageError(`--${option} is required`);
      return value;
    },
    count(option) {
      const value = optional(option);
      if (value === undefined) return undefined;
      if (!/^\d{1,13}$/.test(value)) throw new UsageError(`--${option} must be a whole number`);
      return Number(value);
    },
    list(option) {
      const entries = (optional(option) ?? '').split(',').map((entry) => entry.trim());
      return entries.filter((entry) => entry !== '');
    },
    instant(option) {
      const value = optional(option);
      return value === undefined ? undefined : instantOf(option, value);
    },
    month(option) {
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
