import type { ReactNode } from 'react';

/** Links to the sign-in provider, and then to `next`. `again`: the provider asks for the credentials again. */
export function SingleSignOnLink(props: { next: string; again?: boolean; children: ReactNode }) {
  const query = new URLSearchParams({ ...(props.again && { again: '1' }), next: props.next });
  return (
    <a
      href={`/sign-in/single-sign-on?${query}`}
      className="inline-flex h-10 items-center justify-center rounded border border-control bg-raised px-3 font-medium hover:bg-sunken md:h-8"
    >
      {props.children}
    </a>
  );
}

/** Separates two alternatives. */
export const OrDivider = ({ children }: { children: ReactNode }) => (
  <p className="flex items-center gap-3 text-sm text-quiet before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
    {children}
  </p>
);
