import { AppError, invalidField } from '@shopscope/errors';
import { quoted } from '../http/input/sanitized-input.ts';

export const notADomain = (input: string) =>
  invalidField('domain', `must be a hostname or an http(s) URL with a registrable domain, not ${quoted(input)}`);

export const notInCorpus = () =>
  new AppError(
    'not_found',
    'The domain is not in the corpus; POST /v1/stores/enrich with refresh true queues a scan of it (scope write:scans).',
  );
