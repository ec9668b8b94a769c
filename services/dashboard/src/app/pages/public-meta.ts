import type { MetaDescriptor } from 'react-router';
import type { PublicAddresses } from './public-layout.tsx';

/** Search engines and other sites cut longer descriptions. */
const maxDescription = 200;

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

interface PublicWords {
  title: string;
  description: string;
  isIndexed?: boolean;
}

/** The meta function of a page whose texts do not depend on its data. */
export const fixedMeta =
  (words: PublicWords) =>
  ({ matches }: { matches: Matches }): MetaDescriptor[] =>
    publicMeta(matches, words);

/** The title, description, address and share card of a public page. */
export function publicMeta(matches: Matches, { title, description, isIndexed = true }: PublicWords): MetaDescriptor[] {
  const layout = matches.find((match) => match?.id === 'app/pages/public-layout')?.loaderData as
    | PublicAddresses
    | undefined;
  const url = layout && layout.siteUrl + layout.address;
  const text = description.length > maxDescription ? `${description.slice(0, maxDescription - 1)}…` : description;
  return [
    { title },
    { name: 'description', content: text },
    ...(isIndexed ? [] : [{ name: 'robots', content: 'noindex' }]),
    ...(url && isIndexed ? [{ tagName: 'link', rel: 'canonical', href: url } as const] : []),
    { property: 'og:site_name', content: 'Shopscope' },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: text },
    ...(url ? [{ property: 'og:url', content: url }] : []),
    { name: 'twitter:card', content: 'summary' },
  ];
}
