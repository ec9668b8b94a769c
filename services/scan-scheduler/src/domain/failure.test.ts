import { expect, it } from 'vitest';
import { jobError } from './failure.ts';

it('a known code has a message of its own, an unknown one a general message', () => {
  expect(jobError('robots_disallowed').message).toMatch(/robots\.txt/);
  expect(jobError('some_new_code')).toEqual({ code: 'some_new_code', message: 'The store could not be observed.' });
});

it('what is no code never leaves the service', () => {
  for (const text of ['', 'Error: at /srv/app.js:3', 'UPPER', 'x'.repeat(65), 'toString()', '10.0.0.3']) {
    expect(jobError(text).code).toBe('rejected');
    expect(jobError(text, 'abandoned').code).toBe('abandoned');
  }
});

it('names of built-in properties are codes like any other', () => {
  expect(jobError('constructor').message).toBe('The store could not be observed.');
});
