import { AppError } from '@shopscope/errors';

export function unavailable(internal: string, cause?: unknown): AppError {
  return new AppError('unavailable', 'The service is not available; retry shortly.', { internal, cause });
}
