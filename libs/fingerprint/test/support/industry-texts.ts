import type { IndustryTexts } from '../../src/profile/industry.ts';

/** The texts of a page that says nothing, in English. */
export const noTexts: IndustryTexts = {
  name: '',
  products: '',
  title: '',
  description: '',
  menus: '',
  links: '',
  headings: '',
  paths: '',
  kinds: '',
  language: 'en',
  isArticle: false,
  sells: true,
};
