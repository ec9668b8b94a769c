import { isJobErrorCode, jobErrors } from '@shopscope/proto';
import type { JobError } from './job.ts';

/** The public error of a job. Responses contain the code, so a `code` that openapi.json does not explain becomes `fallback`. */
export function jobError(code: string, fallback: 'abandoned' | 'rejected' = 'rejected'): JobError {
  const known = isJobErrorCode(code) ? code : fallback;
  return { code: known, message: jobErrors[known].message };
}
