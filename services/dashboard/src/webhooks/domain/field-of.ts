import { AppError, invalidField } from '@shopscope/errors';

/** Fields of the form whose names differ from the member of the API. */
const renamed: Readonly<Record<string, string>> = { type: 'signal_type', headers: 'secret_headers' };

/**
 * Returns the error with the field of the form in place of the member that the service or profiles named, such as `filters.country[1]`,
 * `technology[0]` or `headers.cookie`. An error about the quota concerns no field.
 */
export function withFormField(error: unknown): unknown {
  if (!(error instanceof AppError) || typeof error.details.field !== 'string') return error;
  const { field } = error.details;
  const words = error.publicMessage.startsWith(`${field}: `)
    ? error.publicMessage.slice(field.length + 2)
    : error.publicMessage;
  if (field === 'webhooks') return new AppError(error.code, `${words}. Nothing was created.`);
  const [member = ''] = field.replace(/^filters\./, '').split(/[.[]/);
  return invalidField(renamed[member] ?? member, member === 'headers' ? `${field}: ${words}` : words);
}
