import { userInfo } from 'node:os';
import type { Input } from './command.ts';
import { UsageError } from './errors.ts';
import type { Parsed } from './parse.ts';

/** Reads the values of parsed options. */
export function inputOf(
  values: Parsed['values'],
  defaultActor = operatorName(),
  { flags, operand }: Pick<Parsed, 'flags' | 'operand'> = { flags: new Set(), operand: '' },
): Input {
  const optional = (option: string): string | undefined => values[option];
  return {
    optional,
    operand,
    has: (flag) => flags.has(flag),
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
      const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(value) ?? [];
      if (!year || !month) throw new UsageError(`--${option} must be a month as YYYY-MM`);
      return Date.UTC(Number(year), Number(month) - 1, 1);
    },
    actor: optional('actor') ?? defaultActor,
  };
}

const isoInstant = /^(\d{4}-\d{2}-(\d{2}))(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Stricter than Date.parse, which accepts other formats and converts 31 February to 3 March. */
function instantOf(option: string, value: string): number {
  const [, date, day] = isoInstant.exec(value) ?? [];
  const ms = date ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) {
    throw new UsageError(`--${option} must be an ISO 8601 instant such as 2027-03-01 or 2027-03-01T12:00:00Z`);
  }
  return ms;
}

/** A user id in a container may have no name. */
function operatorName(): string {
  try {
    return `operator:${userInfo().username}`;
  } catch {
    return `operator:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
