import { appTags, knownApps } from './apps.ts';
import { type Product, productsOf, type StoreDefinition, type StoreState } from './store.ts';
import { templates } from './templates/index.ts';
import { type Answer, type PageContext, shopIdOf } from './templates/template.ts';

export interface AppChange {
  add?: readonly string[];
  remove?: readonly string[];
}

/** One store as it stands: what is written of it, and what was changed since. */
export class DemoStore {
  readonly definition: StoreDefinition;
  readonly #products: readonly Product[];
  readonly #apps: Set<string>;
  state: StoreState;

  constructor(definition: StoreDefinition) {
    this.definition = definition;
    this.#products = productsOf(definition);
    this.#apps = new Set(definition.apps);
    this.state = definition.state ?? 'open';
  }

  get apps(): string[] {
    return [...this.#apps];
  }

  /** Installs and uninstalls apps; throws when one is unknown, before anything changes. */
  changeApps({ add = [], remove = [] }: AppChange): void {
    const unknown = [...add, ...remove].filter((slug) => !knownApps.includes(slug));
    if (unknown.length > 0) throw new Error(`no such demo app: ${unknown.join(', ')}`);
    for (const slug of add) this.#apps.add(slug);
    for (const slug of remove) this.#apps.delete(slug);
  }

  /** The answer to a GET, or undefined when the connection is to be dropped. */
  answer(host: string, url: URL): Answer | undefined {
    const { definition } = this;
    const shopHost = definition.host ?? definition.domain;
    const template = templates[definition.platform];
    const context: PageContext = {
      store: definition,
      products: this.#products,
      apps: appTags(this.#apps, shopIdOf(definition)),
      origin: `http://${shopHost}`,
    };
    if (this.state === 'down' || this.state === 'dead') return undefined;
    if (this.state === 'redirecting') return moved(`http://${definition.redirectTo ?? shopHost}${url.pathname}`);
    if (host !== shopHost) return moved(`http://${shopHost}${url.pathname}${url.search}`);
    if (url.pathname === '/robots.txt') {
      const body = this.state === 'robots_disallowed' ? 'User-agent: *\nDisallow: /\n' : template.robots(context);
      return { headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
    }
    if (this.state === 'failing') return { status: 503, body: '<h1>Service Unavailable</h1>' };
    if (this.state === 'forbidden') return { status: 403, body: '<h1>403 Forbidden</h1>' };
    if (this.state === 'closed')
      return { status: 404, body: '<title>Not found</title><h1>This shop is unavailable</h1>' };
    if (this.state === 'parked') return { body: parkingPage(definition.domain) };
    if (this.state === 'password') return url.pathname === '/' ? waiting(context, template) : moved('/');
    if (url.pathname === '/') return template.home(context);
    return template.other?.(context, url.pathname, url.searchParams) ?? { status: 404, body: '<h1>404</h1>' };
  }
}

const moved = (location: string): Answer => ({ status: 301, headers: { location }, body: '' });

const waiting = (context: PageContext, template: (typeof templates)['shopify']): Answer =>
  template.password?.(context) ?? {
    body: `<title>${context.store.title}</title><h1>Coming soon</h1><form><input type="password"></form>`,
  };

const parkingPage = (domain: string) => `<!doctype html><html lang="en"><head><title>${domain}</title></head>
<body><h1>${domain}</h1><p>This domain is for sale. Buy this domain. The domain ${domain} is parked free of charge.</p></body></html>`;
