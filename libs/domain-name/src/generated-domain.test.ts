import { expect, it } from 'vitest';
import { isGeneratedDomain } from './generated-domain.ts';

it.each([
  ['demo-0001.example', true],
  ['northwind-tea.example', false],
  ['demo.example', false],
  ['my-demo-0001.example', false],
  ['demo-0001.shop.example', false],
  ['demo-0001.example.com', false],
  ['demo-0001-example.com', false],
])('the domain %s is that of a generated store: %s', (domain, isGenerated) => {
  expect(isGeneratedDomain(domain)).toBe(isGenerated);
});
