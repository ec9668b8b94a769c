import type { SentForm } from '../../app/inbound/read-form.ts';
import type { EndpointForm } from '../domain/endpoint-form.ts';

/** The texts of a form with {@link EndpointFields}. */
export const sentEndpoint = (form: SentForm): EndpointForm => ({
  url: form.text('url'),
  description: form.text('description'),
  eventTypes: form.texts('event_types'),
  watchlistIds: form.texts('watchlist_ids'),
  filters: {
    signalTypes: form.texts('signal_type'),
    technologies: form.text('technology'),
    categories: form.text('category'),
    platforms: form.text('platform'),
    countries: form.text('country'),
    industries: form.text('industry'),
    confidenceMin: form.text('confidence_min'),
  },
  maxPerMinute: form.text('max_per_minute'),
  headers: form.text('secret_headers'),
  removesHeaders: form.text('remove_headers') !== '',
});
