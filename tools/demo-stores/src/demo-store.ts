import { appTags, configurableApps, knownApps, settingTags } from './apps.ts';
import { escapeHtml, footer, money, organizationLd, productListLd, wordsOf } from './html.ts';
import {
  type Platform,
  type Product,
  platforms,
  productsOf,
  type StoreDefinition,
  type StoreState,
  storeStates,
} from './store.ts';
import { templates } from './templates/index.ts';
import { type Answer, type PageContext, shopIdOf, type Template } from './templates/template.ts';

export interface AppChange {
  /** Apps to load in the page. */
  add?: readonly string[];
  /** Apps to set up in the page without loading them. */
  configure?: readonly string[];
  remove?: readonly string[];
}

export interface PlatformChange {
  platform: Platform;
  theme?: string;
}

/** The changeable parts of a store. A file of changes is read after a restart. */
export interface StoreChange {
  apps: readonly string[];
  configured: readonly string[];
  platform: Platform;
  theme: string;
  state: StoreState;
}

export class DemoStore {
  readonly definition: StoreDefinition;
  readonly #products: readonly Product[];
  #now: StoreChange;

  /** Throws when `change` contains an unknown app, platform or state. */
  constructor(definition: StoreDefinition, change?: StoreChange) {
    const { apps, configured, platform, theme, state } = change ?? asWritten(definition);
    requireKnown('app', knownApps, apps);
    requireKnown('app with settings', configurableApps, configured);
    requireKnown('platform', platforms, [platform]);
    requireKnown('state', storeStates, [state]);
    this.definition = definition;
    this.#products = productsOf(definition);
    this.#now = { apps, configured, platform, theme: String(theme), state };
  }

  get apps(): string[] {
    return [...this.#now.apps];
  }

  get configured(): string[] {
    return [...this.#now.configured];
  }

  get platform(): Platform {
    return this.#now.platform;
  }

  get state(): StoreState {
    return this.#now.state;
  }

  /** The difference to the definition; undefined without a difference. */
  get change(): StoreChange | undefined {
    return textOf(this.#now) === textOf(asWritten(this.definition)) ? undefined : this.#now;
  }

  /** Installs, sets up and uninstalls apps. Throws for an unknown app, before any change. */
  changeApps({ add = [], configure = [], remove = [] }: AppChange): void {
    requireKnown('app', knownApps, [...add, ...remove]);
    requireKnown('app with settings', configurableApps, configure);
    const apps = this.apps.filter((slug) => !configure.includes(slug) && !remove.includes(slug));
    const configured = this.configured.filter((slug) => !add.includes(slug) && !remove.includes(slug));
    this.#now = {
      ...this.#now,
      apps: [...new Set([...apps, ...add])],
      configured: [...new Set([...configured, ...configure])],
    };
  }

  /** Serves the same products on another platform. Throws for an unknown platform. */
  changePlatform({ platform, theme = this.#now.theme }: PlatformChange): void {
    requireKnown('platform', platforms, [platform]);
    if (typeof theme !== 'string' || theme.length > 100) throw new Error('theme must be a name');
    this.#now = { ...this.#now, platform, theme };
  }

  changeState(state: StoreState): void {
    requireKnown('state', storeStates, [state]);
    this.#now = { ...this.#now, state };
  }

  /** The response to a GET; undefined when the connection must be dropped. */
  answer(host: string, url: URL): Answer | undefined {
    const { definition } = this;
    const shopHost = definition.host ?? definition.domain;
    const template = templates[this.platform];
    if (this.state === 'down' || this.state === 'dead') return undefined;
    if (this.state === 'redirecting') return moved(`http://${definition.redirectTo ?? shopHost}${url.pathname}`);
    if (host !== shopHost) return moved(`http://${shopHost}${url.pathname}${url.search}`);
    if (url.pathname === '/robots.txt') {
      const sitemap = template.sitemap ? [`Sitemap: http://${shopHost}/${template.sitemap}`] : [];
      const rules = this.state === 'robots_disallowed' ? ['Disallow: /'] : [...template.robots, ...sitemap];
      const body = `${['User-agent: *', ...rules].join('\n')}\n`;
      return { headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
    }
    if (this.state === 'failing') return { status: 503, body: '<h1>Service Unavailable</h1>' };
    if (this.state === 'forbidden') return { status: 403, body: '<h1>403 Forbidden</h1>' };
    if (this.state === 'closed')
      return { status: 404, body: '<title>Not found</title><h1>This shop is unavailable</h1>' };
    if (this.state === 'parked') return { body: parkingPage(definition.domain) };
    if (this.state === 'password' && url.pathname !== '/') return moved('/');
    const context = this.#contextOf(template, `http://${shopHost}`);
    const { headers, cookies = [] } = template;
    const page = (body: string): Answer => ({ ...(headers && { headers: headers(context) }), cookies, body });
    if (this.state === 'password') {
      return template.password ? page(template.password(context)) : { body: plainPassword(definition.title) };
    }
    if (url.pathname === '/') return page(template.home({ ...context, cards: cardsOf(context, template) }));
    return template.other?.(context, url.pathname, url.searchParams) ?? { status: 404, body: '<h1>404</h1>' };
  }

  #contextOf(template: Template, origin: string): PageContext {
    const store = { ...this.definition, platform: this.platform, theme: this.#now.theme };
    const products = this.#products;
    const shop = shopIdOf(store);
    const apps = linesOf([appTags(this.apps, shop), settingTags(this.configured, shop)]);
    // A platform with further pages has a public product feed.
    const list = template.other ? '' : productListLd(store, origin, products);
    const head = linesOf([apps, organizationLd(store, origin), list]);
    const texts = { title: escapeHtml(store.title), tagline: escapeHtml(store.tagline), footer: footer(store) };
    return { store, products, ...texts, words: wordsOf(store), apps, head, origin };
  }
}

const linesOf = (texts: readonly string[]) => texts.filter(Boolean).join('\n');

const moved = (location: string): Answer => ({ status: 301, headers: { location }, body: '' });

const plainPassword = (title: string) =>
  `<title>${title}</title><h1>Coming soon</h1><form><input type="password"></form>`;

const cardsOf = (context: PageContext, { card }: Template) =>
  context.products
    .slice(0, 12)
    .map((product) => {
      const [name, price] = [escapeHtml(product.name), money(context.store, product.price)];
      return card?.({ ...context, product, name, price }) ?? '';
    })
    .join('');

const parkingPage = (domain: string) => `<!doctype html><html lang="en"><head><title>${domain}</title></head>
<body><h1>${domain}</h1><p>This domain is for sale. Buy this domain. The domain ${domain} is parked free of charge.</p></body></html>`;

const asWritten = ({ apps, configured = [], platform, theme, state = 'open' }: StoreDefinition): StoreChange => ({
  apps,
  configured,
  platform,
  theme,
  state,
});

/** Returns the same text for the same apps, whatever their order. */
const textOf = ({ apps, configured, ...rest }: StoreChange) =>
  JSON.stringify({ ...rest, apps: [...apps].sort(), configured: [...configured].sort() });

function requireKnown(what: string, known: readonly string[], names: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no such demo ${what}: ${unknown.join(', ')} (known: ${known.join(', ')})`);
}
