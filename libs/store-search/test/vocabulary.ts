import { createVocabulary } from '../src/language/vocabulary.ts';

/** A small vocabulary: several technologies of each category and kind, so that random queries match random stores. */
const rows: [slug: string, category: string, kind: string][] = [
  ['klaviyo', 'email', 'service'],
  ['omnisend', 'email', 'app'],
  ['mailchimp', 'email', 'service'],
  ['yotpo', 'reviews', 'app'],
  ['judge-me', 'reviews', 'app'],
  ['trustpilot', 'reviews', 'service'],
  ['dawn', 'themes', 'theme'],
  ['impulse', 'themes', 'theme'],
  ['gorgias', 'live-chat', 'app'],
  ['tidio', 'live-chat', 'service'],
];
const platforms = ['shopify', 'magento', 'woocommerce'].map((slug) => ({
  slug,
  category: 'ecommerce',
  kind: 'platform',
}));

export const technologies = [
  ...rows.map(([slug, category, kind]) => ({ slug, category, kind })),
  { slug: 'custom-theme', category: 'themes', kind: 'theme' },
];
export const categories = ['email', 'reviews', 'themes', 'live-chat'];
export const platformSlugs = [...platforms.map(({ slug }) => slug), 'custom'];
export const countries = ['DE', 'AT', 'FR', 'ZZ'];
export const industries = ['beauty', 'fashion', 'unclassified'];

export const vocabulary = createVocabulary({
  technologies: [...technologies.filter(({ slug }) => slug !== 'custom-theme'), ...platforms],
  countries: countries.filter((code) => code !== 'ZZ'),
  industries: industries.filter((slug) => slug !== 'unclassified'),
  presentSlug: (slug) => (slug === 'klaviyo-old' ? 'klaviyo' : slug),
});
