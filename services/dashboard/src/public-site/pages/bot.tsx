import { TextLink } from '../../app/components/button.tsx';
import { Part, Prose, PublicPage } from '../../app/components/public-page.tsx';
import { fixedMeta } from '../../app/pages/public-meta.ts';
import { Code } from '../../documentation/pages.ts';

/** The product token of the scanner's robot, which never changes. This service does not depend on the scanner's code. */
const robotName = 'ShopscopeBot';

export const meta = fixedMeta({
  title: `${robotName}, our robot · Shopscope`,
  description: `What ${robotName} reads, how often it comes, and how to keep it out.`,
});

export default function Bot() {
  return (
    <PublicPage title={robotName} lead="The robot that visits stores for Shopscope.">
      <Part title="What it does">
        <Prose>
          <p>
            It visits a store when somebody has asked about it, or to keep what is known about it up to date. A visit
            reads robots.txt, the start page and, where the platform has one, the public list of products. Of a shop it
            also reads up to five further pages: imprint, contact, about, a product, the cart. It asks for public DNS
            records of the domain. It runs no scripts, fills in no forms, signs in nowhere and reads nothing about
            customers.
          </p>
          <p>
            All its processes together keep to a number of requests per second to a domain and to an address. Each
            process sends one request at a time to a host, with a pause after each, and keeps a longer pause of up to 5
            seconds that robots.txt asks for. It sends the User-Agent <code>{robotName}/1.0</code>.
          </p>
        </Prose>
      </Part>
      <Part id="opt-out" title="How to keep it out">
        <Prose>
          <p>
            Name it in the robots.txt of your store. It reads the file anew at each visit and obeys it (RFC 9309), so
            the rule takes effect with the next one. A file that fails with a server error also keeps it out. What
            earlier visits have seen stays in the corpus. The operator can also put domains and networks on a list that
            it never visits. What was known about a listed domain is then deleted, and its page disappears.
          </p>
        </Prose>
        <div className="max-w-[860px]">
          <Code id="robots" label="robots.txt" language="text" text={`User-agent: ${robotName}\nDisallow: /`} />
        </div>
      </Part>
      <Part title="Who we are">
        <Prose>
          <p>
            Shopscope tells teams that sell to online stores, or study them, what these stores run on.{' '}
            <TextLink to="/">What it shows about a store</TextLink> is public in its main parts: look your own domain
            up.
          </p>
        </Prose>
      </Part>
    </PublicPage>
  );
}
