import { data } from 'react-router';
import { contextOf, type PageContext } from '../../app/pages/server.ts';
import { type Addresses, withAddresses } from '../domain/addresses.ts';
import { type GraphqlSchema, readSchema } from '../domain/graphql-schema.ts';
import { guideSections, inOrder, readGuide } from '../domain/guide.ts';
import type { Openapi } from '../domain/openapi.ts';
import { familiesOf, type Operation } from '../domain/reference.ts';
import { createSearch } from '../domain/search.ts';

/** The files from the time of the build. */
const guideFiles = import.meta.glob<string>('../../../../../docs/guides/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

import contract from '../../../../../docs/openapi.json?raw';
import sdl from '../../../../../docs/schema.graphql?raw';

export type Library = ReturnType<typeof createLibrary>;

/** The documentation of the API, with the addresses of an installation. */
function createLibrary(addresses: Addresses) {
  const apiUrl = addresses.publicApiUrl;
  const guides = inOrder(
    Object.entries(guideFiles).map(([path, file]) =>
      readGuide(path.replace(/^.*\/|\.md$/g, ''), withAddresses(file, addresses)),
    ),
  );
  const openapi: Openapi = { ...JSON.parse(contract), servers: [{ url: apiUrl }] };
  const families = familiesOf(openapi);
  const operations = new Map(families.flatMap((family) => family.operations.map((each) => [each.id, each])));
  const schema: GraphqlSchema = readSchema(sdl);
  const servedToKeys = [...operations.values()].filter(({ isServed, needsKey }) => isServed && needsKey);
  return {
    apiUrl,
    openapi,
    families,
    guides,
    sections: Object.entries(guideSections)
      .map(([section, name]) => ({ name, guides: guides.filter((guide) => guide.section === section) }))
      .filter((section) => section.guides.length > 0),
    operation: (id: string) => operations.get(id),
    /** The operations that the request log can have, unless an announced one was called. */
    servedToKeys: servedToKeys.map(({ id }) => id),
    guide: (slug: string) => guides.find((guide) => guide.slug === slug),
    schema,
    search: createSearch(guides, families, schema),
  };
}

const libraries = new WeakMap<object, Library>();

/** Returns an operation that is served. Throws 404 for the others. */
export function servedOperation(context: PageContext, id: string): Operation {
  const operation = libraryOf(context).operation(id);
  if (!operation?.isServed) throw data({}, { status: 404 });
  return operation;
}

/** Created at the first use of an application, because its addresses never change. */
export function libraryOf(context: PageContext): Library {
  const { application } = contextOf(context);
  let library = libraries.get(application);
  if (!library) {
    library = createLibrary(application);
    libraries.set(application, library);
  }
  return library;
}
