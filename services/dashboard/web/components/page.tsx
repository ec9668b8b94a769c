import type { ReactNode } from 'react';

/** The frame of a page in the shell: its title, at most one primary action, its content. */
export function Page({
  title,
  lead,
  action,
  children,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto grid w-full max-w-[1120px] gap-6 px-4 py-6 md:px-8 md:py-8">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-xl">{title}</h1>
          {lead && <p className="max-w-[68ch] text-quiet">{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  note,
  action,
  children,
}: {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-lg">{title}</h2>
        {action ?? (note && <p className="text-sm text-quiet">{note}</p>)}
      </div>
      {children}
    </section>
  );
}

/** A bordered surface. */
export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-[6px] border border-line bg-raised p-4 ${className}`}>{children}</div>;
}
