import { createContext, useContext } from 'react';

/** The ids of operations by method and path, for links in texts of the contract. */
export const OperationLinks = createContext<Readonly<Record<string, string>>>({});

const named = /(GET|POST|PATCH|DELETE) \/[\w/{}.]*[\w}]/g;

/** A text of the contract, in which operations lead to their pages. */
export function ContractText({ text }: { text: string }) {
  const links = useContext(OperationLinks);
  const parts = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(named)) {
    const id = links[found];
    if (id === undefined) continue;
    parts.push(
      text.slice(from, index),
      <a key={index} href={`/docs/reference/${id}`} className="link">
        {found}
      </a>,
    );
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
}
