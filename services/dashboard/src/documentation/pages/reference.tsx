import { TextLink } from '../../app/components/button.tsx';
import { Part, PublicPage } from '../../app/components/public-page.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import type { Route } from './+types/reference';
import { MethodAndPath } from './code.tsx';
import { DocumentationSearch } from './layout.tsx';
import { libraryOf } from './library.server.ts';

export const meta = fixedMeta({
  title: 'Reference · Shopscope docs',
  description: 'Every operation of the API with its parameters, fields, errors and examples, from the contract.',
});

export const loader = ({ context }: Route.LoaderArgs) => {
  const { families, apiUrl } = libraryOf(context);
  return {
    apiUrl,
    families: families.map((family) => ({
      ...family,
      operations: family.operations.map(({ id, method, path, summary, isServed }) => ({
        id,
        method,
        path,
        summary,
        isServed,
      })),
    })),
  };
};

export default function ReferencePage({ loaderData: { families, apiUrl } }: Route.ComponentProps) {
  return (
    <>
      <PublicPage
        title="Reference"
        lead="Every operation with its parameters, fields, errors and examples, from the contract that the API itself checks."
      />
      <DocumentationSearch label="Search fields and operations" className="max-w-md" />
      <p className="max-w-[68ch]">
        The API is at <code className="inline-code">{apiUrl}</code>. The contract as a file:{' '}
        <TextLink to="/docs/openapi.json">openapi.json</TextLink>. Operations that are announced are in the contract and
        answer 501 until they are served.
      </p>
      {families.map(({ name, description, operations }) => (
        <Part key={name} id={name.toLowerCase()} title={name}>
          <p className="text-quiet">{description}</p>
          <ul className="grid">
            {operations.map(({ id, method, path, summary, isServed }) => (
              <li key={id} className="grid gap-x-6 border-t py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
                <a href={`/docs/reference/${id}`} className="rounded font-medium hover:text-accent">
                  {summary}
                  {!isServed && <span className="ml-2 font-normal text-quiet">announced</span>}
                </a>
                <span className="text-quiet">
                  <MethodAndPath method={method} path={path} />
                </span>
              </li>
            ))}
          </ul>
        </Part>
      ))}
    </>
  );
}
