import { describe, expect, it } from 'vitest';
import { matchTechnologies } from './score-technologies.ts';
import { confusionOf, stateShare, tallyByCategory, tallyByConfidence, tallyField, tallyTechnologies } from './tally.ts';

const named = (slug: string, category: string, confidence = 'high') => ({
  slug,
  name: slug,
  category,
  confidence,
  installState: 'active',
});
const label = (slug: string, category: string, state: 'active' | 'configured' = 'active') => ({
  slug,
  name: slug,
  category,
  state,
});

describe('sums', () => {
  const match = matchTechnologies(
    [named('klaviyo', 'email'), named('hotjar', 'analytics', 'low'), named('yotpo', 'reviews', 'medium')],
    [label('klaviyo', 'email'), label('yotpo', 'loyalty', 'configured'), label('segment', 'analytics')],
  );

  it('the sums of scores give precision and recall over all pages', () => {
    const { named: count, right, labelled, precision, recall } = tallyTechnologies([match, match]);
    expect([count, right, labelled]).toEqual([6, 4, 6]);
    expect([precision.share, recall.share]).toEqual([4 / 6, 4 / 6]);
  });

  it('the sums of scores give precision by the named category and recall by the labelled one', () => {
    const byCategory = tallyByCategory([match]);
    expect(byCategory.reviews).toMatchObject({ named: 1, right: 1, labelled: 0, recall: { share: null } });
    expect(byCategory.loyalty).toMatchObject({ named: 0, labelled: 1, recall: { share: 1 } });
    expect(byCategory.analytics).toMatchObject({ named: 1, right: 0, labelled: 1, recall: { share: 0 } });
  });

  it('the sums of scores give precision of each confidence and its share of all labels', () => {
    const { high, medium, low } = tallyByConfidence([match]);
    expect([high?.precision.share, medium?.precision.share, low?.precision.share]).toEqual([1, 1, 0]);
    expect(high?.recall.share).toBe(1 / 3);
  });

  it('the sums of scores give the share of right install states among right technologies', () => {
    expect(stateShare([match]).share).toBe(1 / 2);
  });

  it('the sums of scores count outcomes of a field, and the unsure ones apart', () => {
    const base = { said: '', label: '' };
    const tally = tallyField([
      { outcome: 'right', ...base },
      { outcome: 'right', unsure: true, ...base },
      { outcome: 'wrong', ...base },
      { outcome: 'unknown', ...base },
    ]);
    expect(tally).toMatchObject({ cases: 4, right: 2, wrong: 1, unknown: 1, unsure: 1, rightShare: { share: 0.5 } });
  });

  it('an accepted industry counts as the label in the confusion matrix of industries', () => {
    expect(
      confusionOf([
        { outcome: 'right', said: 'garden', label: 'food' },
        { outcome: 'wrong', said: 'pets', label: 'food' },
        { outcome: 'right', said: 'food', label: 'food' },
      ]),
    ).toEqual({ food: { food: 2, pets: 1 } });
  });
});
