import type { ReactNode } from 'react';

export function PublicPage({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-2xl [overflow-wrap:anywhere]">{title}</h1>
        {lead && <p className="max-w-[68ch] text-lg text-quiet">{lead}</p>}
      </header>
      {children}
    </>
  );
}

export function Part({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className="grid gap-3">
      <h2 className="text-xl">{title}</h2>
      {children}
    </section>
  );
}

export const Prose = ({ children }: { children: ReactNode }) => (
  <div className="grid max-w-[68ch] gap-3">{children}</div>
);
