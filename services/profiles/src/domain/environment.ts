import { invalidField } from '@shopscope/errors';

export type SystemEnvironment = 'development' | 'test' | 'production';

/**
 * Throws `invalid_request` for work on the whole corpus in production, unless the operator allows production by name. It also throws in
 * every environment if the operator names another environment, because then the operator has reached the wrong system.
 */
export function requireEnvironment(own: SystemEnvironment, allowed: string): void {
  if (allowed === own || (allowed === '' && own !== 'production')) return;
  throw invalidField('environment', `this system is ${own}, and ${allowed || 'no environment'} was allowed`);
}
