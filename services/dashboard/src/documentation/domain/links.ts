/** The folder of the guides in the source tree, as a base address for links. */
const folder = 'file:///docs/guides/';

/**
 * The target of a link in a guide. Guides, the contract and the GraphQL schema are pages of the site. Every other file is shown as its path in the source tree.
 */
export function guideLinkOf(target: string): { href: string } | { file: string } {
  if (/^[a-z]+:/i.test(target) || target.startsWith('#') || target.startsWith('/')) return { href: target };
  const [path = '', anchor] = target.split('#');
  const file = new URL(path, folder).pathname.slice(1);
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (file === 'docs/openapi.json') return { href: `/${file}` };
  if (file === 'docs/schema.graphql') return { href: '/docs/graphql/schema' };
  const guide = /^docs\/guides\/([\w-]+)\.md$/.exec(file)?.[1];
  return guide === undefined ? { file } : { href: `/docs/${guide}${end}` };
}
