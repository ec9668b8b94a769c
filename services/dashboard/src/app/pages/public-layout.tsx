import { Search } from 'lucide-react';
import { useId } from 'react';
import { Outlet } from 'react-router';
import { Button } from '../components/button.tsx';
import { Logo } from '../components/logo.tsx';
import type { Route } from './+types/public-layout';
import { contextOf } from './server.ts';

export interface PublicAddresses {
  siteUrl: string;
  dashboardUrl: string;
  apiUrl: string;
  /** Path and parameters of the page. */
  address: string;
}

export function loader({ context }: Route.LoaderArgs): PublicAddresses {
  const { path, siteUrl, url, application } = contextOf(context);
  return { siteUrl, dashboardUrl: url, apiUrl: application.publicApiUrl, address: path };
}

/** The frame of the pages for everybody. Its links are those of a page without script. */
export default function PublicLayout({ loaderData: { dashboardUrl, address } }: Route.ComponentProps) {
  // The documentation has its contents beside the page.
  const width = address.startsWith('/docs') ? 'max-w-[1368px]' : 'max-w-[1120px]';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b">
        <div
          className={`mx-auto flex w-full ${width} flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 md:gap-x-6 md:px-8`}
        >
          <a href="/" className="rounded">
            <Logo />
          </a>
          {!hasOwnSearch(address) && (
            <StoreSearch label="Domain of a store" className="order-last w-full md:order-none md:w-72" />
          )}
          <nav aria-label="Site" className="ml-auto flex items-center gap-x-3 whitespace-nowrap md:gap-x-4">
            <NavigationLink href="/technologies" current={address}>
              Technologies
            </NavigationLink>
            <NavigationLink href="/docs" current={address}>
              Docs
            </NavigationLink>
            <a href={`${dashboardUrl}/sign-in`} className="rounded font-medium hover:text-accent">
              Sign in
            </a>
          </nav>
        </div>
      </header>
      <main className={`mx-auto grid w-full ${width} grow content-start gap-8 px-4 py-8 md:px-8 md:py-12`}>
        <Outlet />
      </main>
      <footer className="border-t text-sm text-quiet">
        <div className={`mx-auto flex w-full ${width} flex-wrap justify-between gap-x-8 gap-y-3 px-4 py-6 md:px-8`}>
          <p className="max-w-[68ch]">
            Shopscope says what completed scans of public pages of online stores have shown.
          </p>
          <nav aria-label="About" className="flex flex-wrap gap-x-4 gap-y-2">
            <NavigationLink href="/technologies">Technologies</NavigationLink>
            <NavigationLink href="/docs">Docs</NavigationLink>
            <NavigationLink href="/status">Status</NavigationLink>
            <NavigationLink href="/bot">Our robot</NavigationLink>
          </nav>
        </div>
      </footer>
    </div>
  );
}

/** Pages that are a search themselves, and the documentation, which has another one. */
const hasOwnSearch = (address: string) => /^\/(?:$|stores$|stores\?|docs)/.test(address);

const NavigationLink = (props: { href: string; current?: string; children: string }) => (
  <a
    href={props.href}
    aria-current={props.current === props.href ? 'page' : undefined}
    className="rounded text-quiet hover:text-text aria-[current]:text-text"
  >
    {props.children}
  </a>
);

/** Leads to the page of a store. */
export function StoreSearch({
  label,
  className = '',
  value = '',
  problem,
}: {
  label: string;
  className?: string;
  value?: string;
  /** What is wrong with the value. */
  problem?: string;
}) {
  const problemId = useId();
  return (
    <search aria-label={label} className={className}>
      {problem && (
        <p id={problemId} className="mb-2 text-danger [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
      <form action="/stores" className="flex gap-2">
        <input
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : undefined}
          name="domain"
          required
          minLength={3}
          maxLength={300}
          placeholder="shop.example"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={value}
          className="h-10 w-full min-w-0 rounded border border-control bg-raised px-3 font-mono text-[13px] text-text placeholder:text-quiet md:h-8"
        />
        <Button aria-label="Look up">
          <Search aria-hidden className="size-4" />
        </Button>
      </form>
    </search>
  );
}
