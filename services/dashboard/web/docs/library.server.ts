import { type Guide, inOrder, readGuide } from '../../src/domain/documentation/guide.ts';
import type { Openapi } from '../../src/domain/documentation/openapi.ts';
import { type Family, familiesOf, type Operation } from '../../src/domain/documentation/reference.ts';
import { createSearch, type DocumentationSearch } from '../../src/domain/documentation/search.ts';

/** The files as they were at the build. */
const guideFiles = import.meta.glob<string>('../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

import contract from '../../../../docs/openapi.json?raw';

/** The documentation of the API at one address. */
export interface Library {
  apiUrl: string;
  openapi: Openapi;
  guides: Guide[];
  families: Family[];
  operation(id: string): Operation | undefined;
  guide(slug: string): Guide | undefined;
  search: DocumentationSearch;
}

/** Addresses that stand in the files for the one of the API: of a local system, and of examples. */
const written = /http:\/\/127\.0\.0\.1:8080|https:\/\/api\.shopscope\.example/g;

function createLibrary(apiUrl: string): Library {
  const guides = Object.entries(guideFiles).map(([path, file]) =>
    readGuide(
      path.replace(/^.*\/|\.md$/g, ''),
      file.replaceAll(written, () => apiUrl),
    ),
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

/** Made at the first use of an application, whose address never changes. */
export function libraryOf(application: { publicApiUrl: string }): Library {
  let library = libraries.get(application);
  if (!library) {
    library = createLibrary(application.publicApiUrl);
    libraries.set(application, library);
  }
  return library;
}
