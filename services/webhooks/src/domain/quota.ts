import { AppError } from '@shopscope/errors';

export const quotaExceeded = ({ quota, used }: { quota: number; used: number }) =>
  new AppError(
    'invalid_request',
    `webhooks: the plan allows ${quota}, the workspace uses ${used}, and this request would add 1`,
    { details: { field: 'webhooks' } },
  );
