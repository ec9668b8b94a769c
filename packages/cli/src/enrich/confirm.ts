import { UsageError } from '../exit-codes.ts';
import { counted } from '../table.ts';
import type { Terminal } from '../terminal.ts';
export const defaultMaxUnits = 1_000;

/** Returns the value of --max-units. */
export function maxUnitsOf(text: string | undefined): number {
  const maxUnits = Number(text ?? defaultMaxUnits);
  if (!Number.isSafeInteger(maxUnits) || maxUnits < 0) throw new UsageError('--max-units must be a whole number.');
  return maxUnits;
}

export async function confirmUnits(terminal: Terminal, units: number): Promise<void> {
  if (!terminal.stdin.isTTY) {
    throw new UsageError(`This may spend ${counted(units, 'unit')}. Give --max-units ${units} or --yes to allow it.`);
  }
  await confirm(terminal, `This may spend up to ${counted(units, 'unit')}.`, 'Nothing was spent.');
}

export async function confirm(terminal: Terminal, why: string, refusal: string): Promise<void> {
  const answer = await terminal.ask(`${why} Continue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError(refusal);
}

const keysValidMs = 23 * 60 * 60_000;

/** Requests that were in flight are replayed for 24 hours only. */
export async function confirmAge(terminal: Terminal, { startedAt }: { startedAt: string }): Promise<void> {
  if (Date.now() - Date.parse(startedAt) < keysValidMs) return;
  const why = 'The run began more than 23 hours ago, so the requests that were in flight may be billed again.';
  await confirm(terminal, why, 'Not continued.');
}
