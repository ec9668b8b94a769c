import { type Addresses, withAddresses } from '../domain/addresses.ts';
import { type Guide, inOrder, readGuide } from '../domain/guide.ts';
import type { Openapi } from '../domain/openapi.ts';
import { type Family, familiesOf, type Operation } from '../domain/reference.ts';
import { createSearch, type DocumentationSearch } from '../domain/search.ts';

/** The files as they were at the build. */
const guideFiles = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

import contract from '../../../../../docs/openapi.json?raw';

/** The documentation of the API at the addresses of an installation. */
export interface Library {
  apiUrl: string;
  openapi: Openapi;
  guides: Guide[];
  families: Family[];
  operation(id: string): Operation | undefined;
  guide(slug: string): Guide | undefined;
  search: DocumentationSearch;
}

function createLibrary(addresses: Addresses): Library {
  const apiUrl = addresses.publicApiUrl;
  const guides = Object.entries(guideFiles).map(([path, file]) =>
    readGuide(path.replace(/^.*\/|\.md$/g, ''), withAddresses(file, addresses)),
  );
  const openapi: Openapi = { ...JSON.parse(contract), servers: [{ url: apiUrl }] };
  const families = familiesOf(openapi);
  const operations = new Map(families.flatMap((family) => family.operations.map((each) => [each.id, each])));
  const ordered = inOrder(guides);
  return {
    ...{ apiUrl, openapi, families, guides: ordered },
    operation: (id) => operations.get(id),
    guide: (slug) => ordered.find((guide) => guide.slug === slug),
    search: createSearch(ordered, families),
  };
}

const libraries = new WeakMap<object, Library>();

/** Made at the first use of an application, whose addresses never change. */
export function libraryOf(application: Addresses): Library {
  let library = libraries.get(application);
  if (!library) {
    library = createLibrary(application);
    libraries.set(application, library);
  }
  return library;
}
