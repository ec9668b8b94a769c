import { describe, expect, it } from 'vitest';
import { type Filters, matchesFilters, noFilters } from './filters.ts';

const signal = { type: 'technology_added', technology: 'klaviyo', confidence: 'medium' };
const subject = { category: 'email', platform: 'shopify', country: 'DE', industry: 'fashion' };

describe('filters', () => {
  it.each<[Partial<Filters>, boolean]>([
    [{}, true],
    [{ signalTypes: ['technology_added'] }, true],
    [{ signalTypes: ['technology_removed'] }, false],
    [{ technologies: ['klaviyo', 'gorgias'] }, true],
    [{ categories: ['email'], platforms: ['shopify'], countries: ['DE'], industries: ['fashion'] }, true],
    [{ categories: ['email'], countries: ['FR'] }, false],
    [{ confidenceMin: 'low' }, true],
    [{ confidenceMin: 'medium' }, true],
    [{ confidenceMin: 'high' }, false],
  ])('all of %j must match', (filters, expected) => {
    expect(matchesFilters({ ...noFilters, ...filters }, signal, subject)).toBe(expected);
  });

  it('a signal whose subject is unknown matches no filter about it', () => {
    expect(matchesFilters({ ...noFilters, countries: ['DE'] }, signal, undefined)).toBe(false);
    expect(matchesFilters({ ...noFilters, technologies: ['klaviyo'] }, signal, undefined)).toBe(true);
  });
});
