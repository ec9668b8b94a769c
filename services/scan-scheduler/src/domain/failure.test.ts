import { expect, it } from 'vitest';
import { jobError } from './failure.ts';

it('a known code has its own message', () => {
  expect(jobError('robots_disallowed').message).toMatch(/robots\.txt/);
  expect(jobError('robots_disallowed', 'abandoned').code).toBe('robots_disallowed');
});

it('a text that is not a code of the contract is replaced by the fallback', () => {
  for (const text of ['', 'Error: at /srv/app.js:3', 'some_new_code', 'x'.repeat(65), 'toString', 'constructor']) {
    expect(jobError(text)).toEqual({ code: 'rejected', message: 'The store could not be observed.' });
    expect(jobError(text, 'abandoned').code).toBe('abandoned');
  }
});
