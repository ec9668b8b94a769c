import type { z } from 'zod';
import type { job } from './contract.ts';

/** The body of a job of any type. */
export type JobBody = z.output<typeof job>;

export const timeOf = (atMs: number): string => new Date(atMs).toISOString();
export const timeOrNull = (atMs: number | undefined): string | null => (atMs === undefined ? null : timeOf(atMs));

export const errorOf = ({ errorCode, errorMessage }: { errorCode: string; errorMessage: string }): JobBody['error'] =>
  errorCode === '' ? null : { code: errorCode, message: errorMessage };
