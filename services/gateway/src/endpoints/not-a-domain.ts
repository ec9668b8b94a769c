import { invalidField } from '@shopscope/errors';
import { quoted } from '../http/input/sanitized-input.ts';

export const notADomain = (input: string) =>
  invalidField('domain', `must be a hostname or an http(s) URL with a registrable domain, not ${quoted(input)}`);
