import { describe, expect, it } from 'vitest';
import { nearest, unknownValue } from './unknown-value.ts';

const slugs = ['klaviyo', 'klarna', 'shopify', 'shopify-plus', 'magento', 'hotjar', 'x'];

describe('unknownValue', () => {
  it('a value that does not exist is refused with its path, the value and near ones, the nearest first', () => {
    const error = unknownValue('technology[1]', 'klavio', slugs);
    expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'technology[1]' } });
    expect(error.publicMessage).toBe('technology[1]: must be a value that exists, not "klavio"; near ones: klaviyo');
  });

  it('a refused value without a near one is named alone, shortened, and with visible control characters', () => {
    const alone = 'country[0]: must be a value that exists, not "QQQQQQ"';
    expect(unknownValue('country[0]', 'QQQQQQ', ['DE', 'FR']).publicMessage).toBe(alone);
    const { publicMessage } = unknownValue('technology[0]', `\u202e"${'a'.repeat(200)}`, slugs);
    expect(publicMessage).toMatch(/^technology\[0\]: must be a value that exists, not "\\u\{202e\}\\"a+…"$/);
    expect(publicMessage.length).toBeLessThan(150);
  });
});

describe('nearest', () => {
  it.each([
    ['a missing letter', 'shopfy', ['shopify']],
    ['two exchanged letters', 'magneto', ['magento']],
    ['capital letters', 'Hotjar', ['hotjar']],
    ['the beginning', 'shopif', ['shopify', 'shopify-plus']],
    ['nothing alike', 'woocommerce', []],
    ['an empty value', '', ['x']],
  ])('the near values of a value with %s are found', (_, value, near) => {
    expect(nearest(value, slugs)).toEqual(near);
  });

  it('at most three near values are returned, equal ones by their first character and then by the alphabet', () => {
    expect(nearest('DX', ['CX', 'DZ', 'DK', 'DO', 'DE', 'FR'])).toEqual(['DE', 'DK', 'DO']);
    expect(nearest('DX', ['CX', 'DZ'])).toEqual(['DZ', 'CX']);
  });
});
