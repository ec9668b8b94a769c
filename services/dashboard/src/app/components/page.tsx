import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/**
 * The frame of a page in the shell: its title, at most one primary action, its content. A page below the second level
 * has a trail to the pages above it.
 */
export function Page({
  title,
  lead,
  action,
  trail,
  children,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  trail?: readonly { to: string; label: string }[];
  children: ReactNode;
}) {
  return (
    <div className="mx-auto grid w-full max-w-[1120px] gap-6 px-4 py-6 md:px-8 md:py-8">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 gap-1">
          {trail && (
            <nav aria-label="Breadcrumb">
              <ol className="flex flex-wrap items-center gap-1 text-sm text-quiet">
                {trail.map(({ to, label }) => (
                  <li key={to} className="flex min-w-0 items-center gap-1">
                    <Link to={to} className="truncate rounded hover:text-text">
                      <bdi>{label}</bdi>
                    </Link>
                    <ChevronRight aria-hidden className="size-3.5 shrink-0" />
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <h1 className="text-xl [overflow-wrap:anywhere]">
            <bdi>{title}</bdi>
          </h1>
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
  id,
  title,
  note,
  action,
  children,
}: {
  /** For links to the section. */
  id?: string;
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} className="grid gap-3">
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
