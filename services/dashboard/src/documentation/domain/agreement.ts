import type { Environment } from '@shopscope/environment';

/** Whether a person has to agree to the bill of a request before it is sent. Units of the test environment cost nothing. */
export const needsAgreement = (environment: Environment, { units }: { units: readonly string[] }): boolean =>
  environment === 'live' && units.length > 0;
