import { expect, it } from 'vitest';
import { nearValuesOf } from './near-values.ts';

it('the near values of an error are those that the API names, for the value that does not exist', () => {
  const words = 'must be a value that exists, not "klavyo"; near ones: klaviyo, klarna';
  expect(nearValuesOf(words)).toEqual({ wrong: 'klavyo', near: ['klaviyo', 'klarna'] });
  expect(nearValuesOf('must be a value that exists, not "x"')).toBeUndefined();
});
