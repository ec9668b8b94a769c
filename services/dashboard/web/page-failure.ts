import type { Problem } from '../src/inbound/http/problem.ts';

/** A failure that a page shows in place of its content. A response of another program has only the status. */
export interface PageFailure extends Partial<Problem> {
  status: number;
  /** The failed work only read. */
  isReading?: boolean;
}

/** The problem in the error response of a route. */
export const pageFailureOf = ({ status, data }: { status: number; data: unknown }): PageFailure => ({
  status,
  ...(typeof data === 'object' ? (data as Partial<PageFailure>) : {}),
});
