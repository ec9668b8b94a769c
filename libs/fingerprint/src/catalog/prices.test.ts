import { describe, expect, it } from 'vitest';
import { lowestOf, readPrice } from './prices.ts';

describe('readPrice', () => {
  it.each([
    ['19.99', 19.99],
    ['1299', 1299],
    ['1,299.00', 1299],
    ['1.299,00 €', 1299],
    ['19,90', 19.9],
    ['1,299', 1299],
    ['1.299', 1.299],
    ['$ 5', 5],
    [7.5, 7.5],
    ['', undefined],
    ['free', undefined],
    ['-5', undefined],
    ['1e999', undefined],
    [null, undefined],
    [Number.NaN, undefined],
    [-1, undefined],
    [1e12, undefined],
    [{}, undefined],
  ])('reads %j as %s', (value, price) => {
    expect(readPrice(value)).toBe(price);
  });
});

describe('lowestOf', () => {
  it('supports as many prices as a page can have', () => {
    const prices = Array.from({ length: 500_000 }, (_, n) => 500_000 - n);
    expect([lowestOf(prices), lowestOf([0]), lowestOf([])]).toEqual([1, 0, undefined]);
  });
});
