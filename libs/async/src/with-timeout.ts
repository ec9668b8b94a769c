import { type Clock, systemClock } from '@shopscope/clock';
import { createDeadline } from './deadline.ts';

/**
 * Settles as `work` does, or rejects with an error of the text `message` after `timeoutMs`. `work` itself continues, and its late failure
 * is ignored.
 */
export function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  message: string,
  clock: Pick<Clock, 'monotonicMs' | 'after'> = systemClock,
): Promise<T> {
  return createDeadline(timeoutMs, { clock, error: () => new Error(message) }).race(work);
}
