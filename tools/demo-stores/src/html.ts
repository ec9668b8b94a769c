import type { Product, StoreDefinition } from './store.ts';

export const escapeHtml = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export const jsonLd = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value).replace(/</g, '\\u003c')}</script>`;

export function organizationLd(store: StoreDefinition, origin: string): string {
  return jsonLd({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: store.title,
    url: `${origin}/`,
    telephone: store.phone,
    address: {
      '@type': 'PostalAddress',
      streetAddress: store.street,
      addressLocality: store.city,
      addressCountry: store.country,
    },
  });
}

/** The listing as structured data, for platforms without a public product feed. */
export function productListLd(store: StoreDefinition, origin: string, products: readonly Product[]): string {
  return jsonLd({
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    numberOfItems: products.length,
    itemListElement: products.map((product, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: {
        '@type': 'Product',
        name: product.name,
        sku: String(product.id),
        category: product.category,
        url: `${origin}/${product.handle}`,
        offers: {
          '@type': 'Offer',
          price: product.price.toFixed(2),
          priceCurrency: store.currency,
          availability: `https://schema.org/${product.available ? 'InStock' : 'OutOfStock'}`,
        },
      },
    })),
  });
}

export function money(store: StoreDefinition, price: number): string {
  return new Intl.NumberFormat(store.language, { style: 'currency', currency: store.currency }).format(price);
}

const english = { cart: 'Cart', search: 'Search', buy: 'Add to cart', contact: 'Contact', soldOut: 'Sold out' };

/** The words of a page in its language. */
export type Words = typeof english;

const words: Readonly<Record<string, Words>> = {
  de: { cart: 'Warenkorb', search: 'Suche', buy: 'In den Warenkorb', contact: 'Kontakt', soldOut: 'Ausverkauft' },
  fr: { cart: 'Panier', search: 'Rechercher', buy: 'Ajouter au panier', contact: 'Contact', soldOut: 'Épuisé' },
  es: { cart: 'Carrito', search: 'Buscar', buy: 'Añadir al carrito', contact: 'Contacto', soldOut: 'Agotado' },
  it: { cart: 'Carrello', search: 'Cerca', buy: 'Aggiungi al carrello', contact: 'Contatti', soldOut: 'Esaurito' },
  pt: { cart: 'Carrinho', search: 'Pesquisar', buy: 'Adicionar ao carrinho', contact: 'Contato', soldOut: 'Esgotado' },
  pl: { cart: 'Koszyk', search: 'Szukaj', buy: 'Dodaj do koszyka', contact: 'Kontakt', soldOut: 'Wyprzedane' },
  sv: { cart: 'Varukorg', search: 'Sök', buy: 'Lägg i varukorgen', contact: 'Kontakt', soldOut: 'Slutsåld' },
  nb: { cart: 'Handlekurv', search: 'Søk', buy: 'Legg i handlekurv', contact: 'Kontakt', soldOut: 'Utsolgt' },
  da: { cart: 'Kurv', search: 'Søg', buy: 'Læg i kurv', contact: 'Kontakt', soldOut: 'Udsolgt' },
};

export const wordsOf = ({ language }: StoreDefinition): Words => words[language.split('-')[0] ?? ''] ?? english;

/** Links to the categories, which begin with `prefix`, and to the contact page. */
export function menu(store: StoreDefinition, prefix: string): string {
  const links = store.categories.map(
    (name) => `<a href="${prefix}${encodeURIComponent(name)}">${escapeHtml(name)}</a>`,
  );
  return `<nav>${links.join(' ')} <a href="/contact">${wordsOf(store).contact}</a></nav>`;
}

export function footer(store: StoreDefinition): string {
  return `<footer><p>${escapeHtml(`${store.title}, ${store.street}, ${store.city}`)}</p>
<p><a href="tel:${store.phone.replace(/[^+\d]/g, '')}">${escapeHtml(store.phone)}</a></p></footer>`;
}
