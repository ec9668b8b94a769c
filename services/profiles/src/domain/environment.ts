import { invalidField } from '@shopscope/errors';

export type SystemEnvironment = 'development' | 'test' | 'production';

/**
 * Refuses work on the whole corpus in production, unless the operator allows production by name. An operator who names
 * another environment than the system's has reached another system than intended, so that is refused everywhere.
 */
export function requireEnvironment(own: SystemEnvironment, allowed: string): void {
  if (allowed === own || (allowed === '' && own !== 'production')) return;
  throw invalidField('environment', `this system is ${own}, and ${allowed || 'no environment'} was allowed`);
}
