import { expect, it } from 'vitest';
import { jobError } from './failure.ts';

it('a known code has its own message, and an unknown code has a general message', () => {
  expect(jobError('robots_disallowed').message).toMatch(/robots\.txt/);
  expect(jobError('some_new_code')).toEqual({ code: 'some_new_code', message: 'The store could not be observed.' });
});

it('text that is not a code is replaced by the fallback', () => {
  for (const text of ['', 'Error: at /srv/app.js:3', 'UPPER', 'x'.repeat(65), 'toString()', '10.0.0.3']) {
    expect(jobError(text).code).toBe('rejected');
    expect(jobError(text, 'abandoned').code).toBe('abandoned');
  }
});

it('names of built-in properties are treated like other unknown codes', () => {
  expect(jobError('constructor').message).toBe('The store could not be observed.');
});
