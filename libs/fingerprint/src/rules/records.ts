import type { Pattern } from '../engine/rule.ts';
import type { DnsKind } from '../types.ts';

/**
 * Technologies that DNS records and certificates show. An entry with a slug of another rule adds its records to that rule.
 *
 * - Patterns are anchored to a host of the vendor or to the vendor's own word, in the form that its documentation states.
 * - A platform has only `cname`, `name` and `issuer`, which state what serves the host. Other records outlive a move.
 * - Left out, because they prove no product in use: `google-site-verification` and `facebook-domain-verification` (several
 *   products each), SPF of Shopify and of the website hosts; of the imported data SOA and the name servers of hosting
 *   companies, which state where the zone is kept and not where the site runs.
 */
export interface RecordRule {
  slug: string;
  records: Readonly<Partial<Record<RecordKey, readonly string[]>>>;
  /** What states its first record. The others are unsourced: beside other evidence they add no confidence. */
  source?: string;
  /** Only of a technology that no other rule has. */
  entry?: { name: string; category: string; website: string; vendor?: string };
}

/** `name`, `issuer`: of the certificate. */
export type RecordKey = DnsKind | 'name' | 'issuer';

/** The imported rule data, under MIT. */
const imported = 'wappalyzer 6.10.47, dns';

/** The host of a record and everything below it. */
const at = (...hosts: string[]): string[] => hosts.map((host) => `(?:^|\\.)${host.replaceAll('.', '\\.')}$`);
/** A host, or everything below it, in an SPF record. */
const spf = (...hosts: string[]): string[] =>
  hosts.map((host) => `^spf (?:include:|redirect=)(?:[\\w.-]+\\.)?${host.replaceAll('.', '\\.')}$`);
/** A label that the vendor states, with a target at the vendor. */
const delegated = (label: string, host: string): string[] => [`^${label} (?:.*\\.)?${host.replaceAll('.', '\\.')}$`];

const serving: readonly RecordRule[] = [
  {
    slug: 'shopify',
    records: { cname: at('shops.myshopify.com') },
    source: 'https://help.shopify.com/manual/domains/understanding-domains',
  },
  {
    slug: 'bigcommerce',
    records: { cname: ['^(?:shops|store-[a-z0-9]+)\\.mybigcommerce\\.com$'] },
  },
  {
    slug: 'squarespace',
    records: { cname: at('ext-cust.squarespace.com', 'ext-sq.squarespace.com') },
  },
  {
    slug: 'wix',
    records: { cname: at('wixdns.net') },
  },
  {
    slug: 'webflow',
    records: { cname: at('proxy.webflow.com', 'proxy-ssl.webflow.com', 'cdn.webflow.com') },
  },
  {
    slug: 'salesforce-commerce-cloud',
    records: { cname: at('cc-ecdn.net') },
  },
  {
    slug: 'vtex',
    records: { cname: at('cdn.vtex.com') },
  },
  {
    slug: 'vercel',
    records: { cname: at('vercel-dns.com') },
  },
  {
    slug: 'netlify',
    records: { cname: at('netlify.app', 'netlify.com', 'netlifyglobalcdn.com') },
  },
  {
    slug: 'heroku',
    records: { cname: at('herokudns.com', 'herokuapp.com') },
  },
  {
    slug: 'github-pages',
    records: { cname: at('github.io') },
  },
  {
    slug: 'wp-engine',
    records: { cname: at('wpengine.com', 'wpenginepowered.com') },
  },
  {
    slug: 'pantheon',
    records: { cname: at('pantheonsite.io', 'edge.pantheon.io') },
  },
  {
    slug: 'kinsta',
    records: { cname: at('hosting.kinsta.cloud') },
  },
  {
    slug: 'cloudflare',
    records: {
      cname: at('cdn.cloudflare.net'),
      ns: ['\\.ns\\.cloudflare\\.com$'],
      name: at('cloudflaressl.com'),
      issuer: ['^Cloudflare, Inc\\.$'],
    },
  },
  {
    slug: 'fastly',
    records: { cname: at('fastly.net', 'fastlylb.net') },
  },
  {
    slug: 'akamai',
    records: { cname: at('edgekey.net', 'edgesuite.net', 'akamaiedge.net', 'akamaized.net') },
  },
  {
    slug: 'amazon-cloudfront',
    source: imported,
    records: { cname: at('cloudfront.net') },
  },
  {
    slug: 'azure-front-door',
    records: { cname: at('azurefd.net') },
  },
  {
    slug: 'azure-cdn',
    records: { cname: at('azureedge.net') },
  },
  { slug: 'bunny', records: { cname: at('b-cdn.net') } },
  { slug: 'keycdn', records: { cname: at('kxcdn.com') } },
  {
    slug: 'imperva',
    records: { cname: at('impervadns.net'), name: ['^imperva\\.com$'] },
  },
  {
    slug: 'incapsula',
    records: { cname: at('incapdns.net') },
  },
];

const mail: readonly RecordRule[] = [
  {
    slug: 'google-workspace',
    source: imported,
    records: {
      mx: at('aspmx.l.google.com', 'aspmx2.googlemail.com', 'aspmx3.googlemail.com', 'smtp.google.com'),
      txt: spf('_spf.google.com'),
    },

    entry: { name: 'Google Workspace', category: 'email', website: 'https://workspace.google.com/', vendor: 'Google' },
  },
  {
    slug: 'microsoft-365',
    source: imported,
    records: {
      mx: at('mail.protection.outlook.com', 'mx.microsoft'),
      txt: [...spf('spf.protection.outlook.com'), '^MS=ms\\d{4,12}$'],
    },

    entry: {
      name: 'Microsoft 365',
      category: 'email',
      website: 'https://www.microsoft.com/microsoft-365',
      vendor: 'Microsoft',
    },
  },
  {
    slug: 'zoho-mail',
    records: {
      mx: ['^mx\\d?\\.zoho(?:mail)?\\.(?:com|eu|in|com\\.au|jp|sa)$'],
      txt: [...spf('zoho.com', 'zoho.eu', 'zohomail.com', 'zohomail.eu', 'transmail.net'), '^zoho-verification='],
    },

    entry: { name: 'Zoho Mail', category: 'email', website: 'https://www.zoho.com/mail/', vendor: 'Zoho' },
  },
  {
    slug: 'fastmail',
    records: { mx: at('messagingengine.com'), txt: spf('spf.messagingengine.com') },

    entry: { name: 'Fastmail', category: 'email', website: 'https://www.fastmail.com/' },
  },
  {
    slug: 'proton-mail',
    records: {
      mx: at('mail.protonmail.ch', 'mailsec.protonmail.ch'),
      txt: [...spf('_spf.protonmail.ch'), '^protonmail-verification='],
    },

    entry: { name: 'Proton Mail', category: 'email', website: 'https://proton.me/mail', vendor: 'Proton' },
  },
  {
    slug: 'yandex-360',
    records: { mx: at('mx.yandex.net', 'mx.yandex.ru'), txt: spf('_spf.yandex.net') },

    entry: { name: 'Yandex 360', category: 'email', website: 'https://360.yandex.com/', vendor: 'Yandex' },
  },
  {
    slug: 'icloud-mail',
    records: { mx: at('mail.icloud.com'), txt: spf('icloud.com') },

    entry: { name: 'iCloud Mail', category: 'email', website: 'https://www.icloud.com/mail', vendor: 'Apple' },
  },
  {
    slug: 'titan-mail',
    records: { mx: at('titan.email'), txt: spf('spf.titan.email') },

    entry: { name: 'Titan', category: 'email', website: 'https://titan.email/' },
  },
  {
    slug: 'rackspace-email',
    records: { mx: at('emailsrvr.com'), txt: spf('emailsrvr.com') },

    entry: {
      name: 'Rackspace Email',
      category: 'email',
      website: 'https://www.rackspace.com/applications/rackspace-email',
      vendor: 'Rackspace',
    },
  },
  {
    slug: 'mimecast',
    records: { mx: at('mimecast.com', 'mimecast.co.za'), txt: spf('mimecast.com') },
    entry: { name: 'Mimecast', category: 'security', website: 'https://www.mimecast.com/' },
  },
  {
    slug: 'proofpoint',
    records: { mx: at('pphosted.com', 'ppe-hosted.com'), txt: spf('pphosted.com', 'ppe-hosted.com') },
    entry: { name: 'Proofpoint', category: 'security', website: 'https://www.proofpoint.com/' },
  },
  {
    slug: 'barracuda-email-protection',
    records: { mx: at('ess.barracudanetworks.com'), txt: spf('ess.barracudanetworks.com') },

    entry: {
      name: 'Barracuda Email Protection',
      category: 'security',
      website: 'https://www.barracuda.com/',
      vendor: 'Barracuda',
    },
  },
];

const sending: readonly RecordRule[] = [
  {
    slug: 'sendgrid',
    source: imported,
    records: { txt: spf('sendgrid.net'), dkim: delegated('s1', 'sendgrid.net') },

    entry: { name: 'SendGrid', category: 'email', website: 'https://sendgrid.com/', vendor: 'Twilio' },
  },
  {
    slug: 'mailgun',
    source: imported,
    records: { mx: at('mailgun.org'), txt: spf('mailgun.org') },

    entry: { name: 'Mailgun', category: 'email', website: 'https://www.mailgun.com/', vendor: 'Sinch' },
  },
  {
    slug: 'amazon-ses',
    source: imported,
    records: {
      mx: ['^(?:inbound-smtp|feedback-smtp)\\.[a-z0-9-]+\\.(?:amazonaws|amazonses)\\.com$'],
      txt: spf('amazonses.com'),
    },

    entry: { name: 'Amazon SES', category: 'email', website: 'https://aws.amazon.com/ses/', vendor: 'Amazon' },
  },
  {
    slug: 'postmark',
    records: { txt: spf('spf.mtasv.net') },

    entry: { name: 'Postmark', category: 'email', website: 'https://postmarkapp.com/', vendor: 'ActiveCampaign' },
  },
  {
    slug: 'sparkpost',
    source: imported,
    records: { txt: spf('sparkpostmail.com') },

    entry: { name: 'SparkPost', category: 'email', website: 'https://www.sparkpost.com/', vendor: 'Bird' },
  },
  {
    slug: 'mailjet',
    source: imported,
    records: { txt: spf('spf.mailjet.com') },

    entry: { name: 'Mailjet', category: 'email', website: 'https://www.mailjet.com/', vendor: 'Sinch' },
  },
  {
    slug: 'mailchimp',
    records: {
      txt: spf('servers.mcsv.net', 'spf.mandrillapp.com'),
      dkim: [...delegated('k[12]', 'mcsv.net'), ...delegated('mte1', 'mandrillapp.com')],
    },
    source: 'https://netdig.tools/tools/mailchimp-dns-records',
  },
  {
    slug: 'klaviyo',
    records: { txt: ['^klaviyo-site-verification='], dkim: delegated('kl', 'sendgrid.net') },
    source: 'https://help.klaviyo.com/hc/en-us/articles/4417768780827',
  },
  {
    slug: 'brevo',
    records: {
      txt: [...spf('spf.sendinblue.com', 'spf.brevo.com'), '^(?:[Ss]endinblue|[Bb]revo)-code:'],
      dkim: delegated('brevo1', 'dkim.brevo.com'),
    },
  },
  {
    slug: 'mailerlite',
    records: {
      txt: [...spf('_spf.mlsend.com'), '^mailerlite-domain-verification='],
      dkim: delegated('litesrv', 'mlsend.com'),
    },
  },
  {
    slug: 'activecampaign',
    records: { txt: spf('emsd1.com') },
  },
  {
    slug: 'constant-contact',
    records: { txt: spf('spf.constantcontact.com'), dkim: delegated('ctct1', 'ccsend.com') },
  },
  {
    slug: 'campaign-monitor',
    records: { txt: spf('_spf.createsend.com') },
  },
  {
    slug: 'aweber',
    records: { txt: spf('send.aweber.com'), dkim: delegated('aweber_key_a', 'send.aweber.com') },
  },
  {
    slug: 'cleverreach',
    records: { txt: spf('spf.cleverreach.com') },
    entry: { name: 'CleverReach', category: 'email', website: 'https://www.cleverreach.com/' },
  },
  {
    slug: 'hubspot',
    source: imported,
    records: { txt: spf('hubspotemail.net') },
  },
  {
    slug: 'salesforce',
    source: imported,
    records: { txt: spf('_spf.salesforce.com') },
  },
  {
    slug: 'pardot',
    source: imported,
    records: { txt: [...spf('et._spf.pardot.com'), '^pardot\\d+='] },
  },
  {
    slug: 'salesforce-marketing-cloud',
    records: { txt: spf('cust-spf.exacttarget.com') },

    entry: {
      name: 'Salesforce Marketing Cloud',
      category: 'marketing-automation',
      website: 'https://www.salesforce.com/marketing/',
      vendor: 'Salesforce',
    },
  },
];

const service: readonly RecordRule[] = [
  {
    slug: 'zendesk',
    records: {
      txt: spf('mail.zendesk.com'),
      dkim: delegated('zendesk1', 'zendesk.com'),
      help: delegated('(?:help|support)', 'zendesk.com'),
    },
    source: 'https://support.zendesk.com/hc/en-us/articles/4867238761626',
  },
  {
    slug: 'freshdesk',
    records: { txt: spf('email.freshdesk.com', 'freshemail.io'), help: delegated('(?:help|support)', 'freshdesk.com') },

    entry: {
      name: 'Freshdesk',
      category: 'live-chat',
      website: 'https://www.freshworks.com/freshdesk/',
      vendor: 'Freshworks',
    },
  },
  {
    slug: 'help-scout',
    records: {
      txt: spf('helpscoutemail.com'),
      dkim: delegated('strong1', 'helpscout.net'),
      help: delegated('(?:help|support)', 'helpscoutdocs.com'),
    },
  },
  {
    slug: 'intercom',
    records: {
      dkim: delegated('intercom', 'dkim.intercom.io'),
      help: delegated('(?:help|support)', 'custom.intercom.help'),
    },
  },
  { slug: 'gorgias', records: { help: delegated('(?:help|support)', 'gorgias.help') } },
  {
    slug: 'docusign',
    source: imported,
    records: { txt: ['^docusign='] },

    entry: { name: 'DocuSign', category: 'miscellaneous', website: 'https://www.docusign.com/' },
  },
  {
    slug: 'stripe',
    source: imported,
    records: { txt: ['^stripe-verification='] },
  },
  {
    slug: 'heroku',
    source: imported,
    records: { txt: ['^heroku-domain-verification='] },
  },
  {
    slug: 'mixpanel',
    source: imported,
    records: { txt: ['^mixpanel-domain-verify='] },
  },
  {
    slug: 'segment',
    source: imported,
    records: { txt: ['^segment-site-verification='] },
  },
  {
    slug: 'dropbox',
    source: imported,
    records: { txt: ['^dropbox-domain-verification='] },
    entry: { name: 'Dropbox', category: 'digital-asset-management', website: 'https://www.dropbox.com/' },
  },
  {
    slug: 'bugcrowd',
    source: imported,
    records: { txt: ['^bugcrowd-verification='] },
    entry: { name: 'Bugcrowd', category: 'security', website: 'https://www.bugcrowd.com/' },
  },
  {
    slug: 'detectify',
    source: imported,
    records: { txt: ['^detectify-verification='] },
    entry: { name: 'Detectify', category: 'security', website: 'https://detectify.com/' },
  },
  { slug: 'azion', source: imported, records: { cname: at('azioncdn.net') } },
  {
    slug: 'amazon-web-services',
    source: imported,
    records: { ns: ['\\.awsdns-\\d+\\.(?:com|net|org|co\\.uk)$'] },
  },
  {
    slug: 'azure',
    source: imported,
    records: { ns: ['\\.azure-dns\\.(?:com|net|org|info)$'] },
  },
];

export const recordRules: readonly RecordRule[] = [...serving, ...mail, ...sending, ...service];

const certificateKeys: ReadonlySet<string> = new Set(['name', 'issuer']);

/** Only the first record of a sourced entry is sourced. */
export const recordPatterns = ({ records, source }: RecordRule): Pattern[] =>
  Object.entries(records).flatMap(([key, regexes], index) =>
    regexes.map((regex) => ({
      channel: certificateKeys.has(key) ? 'certificate' : 'dns',
      key,
      regex,
      version: '',
      weight: 100,
      caseSensitive: true,
      unsourced: source === undefined || index > 0,
    })),
  );
