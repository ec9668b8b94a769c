import { type Environment, parseEnvironment } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';

/** Returns the environment of a new key: live if the request names none. */
export const environmentOfKey = (text = ''): Environment => environmentFilter(text) ?? 'live';

/** Returns the environment of the listed keys, or null for the keys of both environments. */
export function environmentFilter(text = ''): Environment | null {
  const environment = parseEnvironment(text);
  if (environment === undefined) throw invalidField('environment', 'must be live or test');
  return environment;
}
