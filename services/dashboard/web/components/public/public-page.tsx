import type { ReactNode } from 'react';

/** Title, lead and content of a public page. */
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

/** A part of a public page. Its id is the target of links. */
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

/** A command or an answer to copy. */
export function CodeBlock({ id, label, children }: { id: string; label: string; children: string }) {
  return (
    <figure className="grid max-w-[860px] gap-2 rounded-[6px] border bg-sunken p-3">
      <figcaption className="flex items-center justify-between gap-4 text-sm text-quiet">
        <span>{label}</span>
        <button
          type="button"
          data-copies={id}
          aria-label={`Copy: ${label}`}
          className="h-10 rounded border border-control bg-raised px-3 font-medium text-text hover:bg-page md:h-8"
        >
          <span aria-live="polite">Copy</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls has to be reachable by keyboard. */}
      <pre id={id} tabIndex={0} className="overflow-x-auto font-mono text-[13px]">
        {children}
      </pre>
    </figure>
  );
}
