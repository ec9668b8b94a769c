import type { ShouldRevalidateFunction } from 'react-router';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import type { MatchCount } from '../operations/trials.ts';

/** The trials of a form change nothing, so the page keeps its data. */
export const keepsLoaded: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) => {
  const intent = formData?.get('intent');
  return intent === 'check_url' || intent === 'count' ? false : defaultShouldRevalidate;
};

interface SentForm extends Partial<FailedForm> {
  count?: MatchCount;
}

/** The form that failed or was counted, so that the page shows what was typed. */
export const sentOf = (answer: object | undefined): SentForm | undefined =>
  answer && 'values' in answer ? (answer as SentForm) : undefined;
