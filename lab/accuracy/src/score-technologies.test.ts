import { describe, expect, it } from 'vitest';
import { matchTechnologies } from './score-technologies.ts';

const named = (slug: string, name = slug) => ({ slug, name, category: 'analytics' });
const label = (slug: string | null, name = slug ?? '') => ({
  slug,
  name,
  category: 'analytics',
  state: 'active' as const,
});

describe('match of technologies', () => {
  it('the match of technologies sorts them into right, wrong and missed', () => {
    const match = matchTechnologies([named('klaviyo'), named('hotjar')], [label('klaviyo'), label('segment')]);
    expect(match.right.map((pair) => pair.named.slug)).toEqual(['klaviyo']);
    expect(match.wrong.map(({ slug }) => slug)).toEqual(['hotjar']);
    expect(match.missed.map(({ slug }) => slug)).toEqual(['segment']);
  });

  it('a label of a technology without a slug is found by its name, because the vocabulary grows', () => {
    const labels = [label(null, 'jCarousel'), label(null, 'jQuery Validation'), label(null, 'QZoom')];
    const match = matchTechnologies([named('j-carousel', 'JCarousel'), named('jquery-validation', 'Validate')], labels);
    expect(match.right).toHaveLength(2);
    expect(match.missed.map(({ name }) => name)).toEqual(['QZoom']);
  });

  it('a label of a technology with a slug is not found by its name', () => {
    expect(matchTechnologies([named('signal-app', 'Signal')], [label('signal', 'Signal')]).right).toEqual([]);
  });

  it('a label of a technology counts once', () => {
    const match = matchTechnologies([named('a', 'Same'), named('b', 'same')], [label(null, 'Same')]);
    expect([match.right.length, match.wrong.length]).toEqual([1, 1]);
  });

  it('hosts of public libraries and implied software count neither as named nor as labelled', () => {
    const ours = [named('cdnjs'), named('php', 'PHP'), named('klaviyo')];
    const match = matchTechnologies(ours, [label('jsdelivr'), label(null, 'jQuery CDN'), label('klaviyo')]);
    expect([match.named.length, match.wrong, match.missed]).toEqual([1, [], []]);
  });
});
