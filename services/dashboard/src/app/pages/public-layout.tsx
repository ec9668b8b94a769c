import { Outlet } from 'react-router';
import { Logo } from '../components/logo.tsx';
import { SearchForm } from '../components/search.tsx';
import type { Route } from './+types/public-layout';
import { contextOf } from './server.ts';

export interface PublicAddresses {
  siteUrl: string;
  dashboardUrl: string;
  apiUrl: string;
  /** The path and parameters of the page. */
  address: string;
}

export function loader({ context }: Route.LoaderArgs): PublicAddresses {
  const { path, siteUrl, url, application } = contextOf(context);
  return { siteUrl, dashboardUrl: url, apiUrl: application.publicApiUrl, address: path };
}

/** The frame of the pages for everybody. Its links work without script. */
export default function PublicLayout({ loaderData: { dashboardUrl, address } }: Route.ComponentProps) {
  // In the documentation, the contents are beside the page.
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

/** Whether the page has its own search. Some pages are a search themselves, and the documentation has another one. */
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

/** A search that leads to the page of a store. */
export const StoreSearch = (props: { label: string; className?: string; value?: string; problem?: string }) => (
  <SearchForm
    label={props.label}
    button="Look up"
    action="/stores"
    problem={props.problem}
    formClass={props.className}
    name="domain"
    required
    minLength={3}
    maxLength={300}
    placeholder="shop.example"
    defaultValue={props.value}
    className="font-mono text-[13px]"
  />
);
