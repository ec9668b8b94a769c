import { isJobErrorCode, jobErrors } from '@shopscope/proto';
import type { JobError } from './job.ts';

/** Returns the public error of a job. A `code` that openapi.json does not explain becomes `fallback`, because responses contain it. */
export function jobError(code: string, fallback: 'abandoned' | 'rejected' = 'rejected'): JobError {
  const known = isJobErrorCode(code) ? code : fallback;
  return { code: known, message: jobErrors[known].message };
}
