import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { PageFailureCode } from '../../src/index.ts';

/** Answers as sites give them, written for the tests of the gate. */
export interface Answer {
  url?: string;
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

const page = (t: string, b: string, h = '') =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${t}</title>${h}</head><body>${b}</body></html>`;
const shopHtml = page('Acme', `<h1>Acme shop</h1><p>${'words '.repeat(200)}</p>`);
export const otherAnswers: readonly (readonly [string, PageFailureCode, Answer])[] = [
  [
    'cf jschl old',
    'challenged',
    {
      status: 503,
      headers: { server: 'cloudflare' },
      body: page(
        'Just a moment...',
        '<div class="cf-browser-verification cf-im-under-attack"><noscript><h1>Please turn JavaScript on and reload the page.</h1></noscript><div id="cf-content"><h1><span>Checking your browser before accessing</span> shop.example.</h1></div><form id="challenge-form" action="/?__cf_chl_jschl_tk__=a" method="POST"></form></div>',
      ),
    },
  ],
  [
    'cf block 403',
    'challenged',
    {
      status: 403,
      body: page(
        'Attention Required! | Cloudflare',
        '<div id="cf-wrapper"><h1>Sorry, you have been blocked</h1><h2>You are unable to access shop.example</h2><p>Why have I been blocked? This website is using a security service to protect itself from online attacks.</p><span>Cloudflare Ray ID: 7a</span></div>',
      ),
    },
  ],
  [
    'cf 200 title shop',
    'challenged',
    {
      body: page(
        'Acme Shop',
        '<div class="main-wrapper" role="main"><div class="main-content"><noscript><div id="challenge-error-title"><div class="h2"><span class="icon-wrapper"></span><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></div></noscript></div></div><script>(function(){window._cf_chl_opt={cvId:"3",cZone:"shop.example",cType:"managed"};var a=document.createElement("script");a.src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=9";document.getElementsByTagName("head")[0].appendChild(a);}());</script>',
        '<meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="360">',
      ),
    },
  ],
  [
    'cf turnstile own page',
    'challenged',
    {
      body: page(
        'Shop',
        '<h1>Verify you are human</h1><form method="POST"><div class="cf-turnstile" data-sitekey="0x4"></div></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>',
      ),
    },
  ],
  [
    'akamai deny',
    'challenged',
    {
      status: 200,
      body: '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;www&#46;shop&#46;example&#47;" on this server.<P>\nReference&#32;&#35;18&#46;8f3c7b5c&#46;1700000000&#46;1a2b3c4d\n<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;8f3c\n</BODY>\n</HTML>',
    },
  ],
  [
    'akamai sec-cpt',
    'challenged',
    {
      status: 200,
      body: '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Acme</title><script type="text/javascript" src="/abc/def/ghi/jkl?t=1"></script></head><body><div id="sec-if-cpt-container" style="display:none"></div><iframe id="sec-cpt-if" class="crypto" provider="crypto" src="" data-key="" data-duration="5"></iframe><p>Powered and protected by</p></body></html>',
    },
  ],
  [
    'akamai sbsd',
    'challenged',
    {
      status: 200,
      body: '<!DOCTYPE html><html><head><title>&nbsp;</title></head><body><script src="/.well-known/sbsd?v=1f2e&t=5"></script></body></html>',
    },
  ],
  [
    'aws captcha',
    'challenged',
    {
      status: 405,
      headers: { 'x-amzn-waf-action': 'captcha' },
      body: page(
        'Human Verification',
        '<div id="captcha-container"></div><script src="https://x.y.captcha.awswaf.com/x/y/captcha.js"></script>',
      ),
    },
  ],
  [
    'aws no header',
    'challenged',
    {
      status: 202,
      body: '<html><head><title></title><style>body{}</style><script>window.awsWafCookieDomainList=["shop.example"];window.gokuProps={"key":"AQ"}</script><script src="https://1.edge.sdk.awswaf.com/1/challenge.js"></script></head><body><div id="challenge-container"></div><script>AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh().then(function(f){window.location.reload(true)})</script><noscript><h1>JavaScript is disabled</h1>verify that you\'re not a robot</noscript></body></html>',
    },
  ],
  [
    'datadome captcha 200',
    'challenged',
    {
      body: "<html lang=\"en\"><head><title>acme.example</title><style>#cmsg{animation: A 1.5s;}</style></head><body style=\"margin:0\"><script data-cfasync=\"false\">var dd={'rt':'c','cid':'A','hsh':'B','t':'fe','s':1,'e':'x','host':'geo.captcha-delivery.com'}</script><script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
    },
  ],
  [
    'datadome iframe',
    'challenged',
    {
      body: '<html><head><title>Acme</title></head><body><iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=A" title="DataDome CAPTCHA" width="100%" height="100%"></iframe></body></html>',
    },
  ],
  [
    'imperva reese',
    'challenged',
    {
      body: '<!DOCTYPE html><html><head><noscript><title>Pardon Our Interruption</title></noscript><meta name="viewport" content="width=1000"><meta name="robots" content="noindex, nofollow"><script>var isSpa=new URLSearchParams(window.location.search).get("X-SPA")==="1";window.onProtectionInitialized=function(){window.location.reload()};window.reeseSkipExpirationCheck=true;</script><script src="/Ago-his-Enter?d=shop.example" async></script></head><body><div class="container"><p>Loading</p></div></body></html>',
    },
  ],
  [
    'distil',
    'challenged',
    {
      body: page(
        'Pardon Our Interruption',
        '<div class="container"><h1>Pardon Our Interruption...</h1><p>As you were browsing, something about your browser made us think you were a bot.</p><div id="distilCaptchaForm"></div></div>',
      ),
    },
  ],
  [
    'sucuri block',
    'challenged',
    {
      status: 200,
      body: page(
        'Sucuri WebSite Firewall - Access Denied',
        '<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner please contact cloudproxy@sucuri.net</p>',
      ),
    },
  ],
  [
    'imunify captcha',
    'challenged',
    {
      body: page(
        'Captcha',
        '<h1>We have noticed an unusual activity from your IP and blocked access to this website.</h1><p>Please confirm that you are not a robot</p><div class="g-recaptcha"></div><p>Protected by Imunify360</p>',
      ),
    },
  ],
  [
    'imunify splash',
    'challenged',
    {
      headers: { server: 'imunify360-webshield/1.21' },
      body: '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>One moment, please...</title><style>body{}</style></head><body><h1>Please wait while your request is being verified...</h1><script>(function(){var s=document.createElement("script")})()</script></body></html>',
    },
  ],
  [
    'siteground page',
    'challenged',
    {
      body: page(
        'Robot Challenge Screen',
        '<h2>Checking the site connection security</h2><div id="progress"></div><script>const sgchallenge="20:1";const sgsubmit_url="/.well-known/sgcaptcha/?r=%2F"</script>',
      ),
    },
  ],
  [
    'anubis german',
    'challenged',
    {
      body: page(
        'Überprüfung, ob Sie kein Bot sind!',
        '<main><h1 id="title">Überprüfung, ob Sie kein Bot sind!</h1><img src="/.within.website/x/cmd/anubis/static/img/pensive.webp"><p id="status">Wird geladen...</p><details><summary>Warum sehe ich das?</summary><p>Sie sehen dies, weil der Administrator Anubis eingerichtet hat.</p></details></main>',
        '<script id="anubis_challenge" type="application/json">{"challenge":"a"}</script>',
      ),
    },
  ],
  [
    'px block',
    'challenged',
    {
      status: 403,
      body: page(
        'Access to this page has been denied',
        '<section><h1>Please verify you are a human</h1><div id="px-captcha"></div><p>Reference ID #1</p></section><script>window._pxAppId="PX1";window._pxJsClientSrc="/1/init.js"</script>',
      ),
    },
  ],
  [
    'px press hold 200',
    'challenged',
    {
      body: page(
        'Acme',
        '<div class="px-captcha-container"><div class="px-captcha-header">Before we continue...</div><div class="px-captcha-message">Press &amp; Hold to confirm you are a human (and not a bot).</div></div>',
      ),
    },
  ],
  [
    'kasada 200 title',
    'challenged',
    {
      body: '<html><head><title>Acme</title></head><body><script>window.KPSDK={};KPSDK.now=typeof performance!==\'undefined\'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?tkrm_alpekz_s1.3=0a"></script></body></html>',
    },
  ],
  [
    'f5 tspd',
    'challenged',
    {
      body: '<html><head><meta http-equiv="Expires" content="-1"><script type="text/javascript">window["bobcmn"]="101110";window["failureConfig"]="524f6f70";</script><script type="text/javascript" src="/TSPD/082a?type=11"></script><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 12345.</noscript></head><body></body></html>',
    },
  ],
  [
    'f5 asm reject',
    'challenged',
    {
      body: '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br><br><a href="javascript:history.back();">[Go Back]</a></body></html>',
    },
  ],
  [
    'reblaze',
    'challenged',
    {
      body: '<html><head><meta charset="utf-8"></head><body style="margin:0"><script>window.rbzns={bereshit:"1",seed:"a",storage:"b"};winsocks();</script><noscript><h1>Please enable javascript</h1></noscript></body></html>',
    },
  ],
  [
    'ddosguard',
    'challenged',
    {
      status: 403,
      body: '<!doctype html><html><head><meta charset="utf-8"><title>DDoS-Guard</title></head><body data-ddg-l10n="true"><div id="ddg-l10n-title">Checking your browser before accessing shop.example</div><script src="/.well-known/ddos-guard/check?context=free_splash"></script></body></html>',
    },
  ],
  [
    'vercel',
    'challenged',
    {
      status: 429,
      headers: { 'x-vercel-mitigated': 'challenge' },
      body: page('Vercel Security Checkpoint', "<div>We're verifying your browser</div>"),
    },
  ],
  [
    'pow generic',
    'challenged',
    {
      body: '<!doctype html><html><head><title>Acme Shop</title></head><body><p>Please wait</p><script>async function solve(c,d){let n=0;for(;;){const h=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(c+n));if(new Uint8Array(h)[0]===0)break;n++}document.cookie="pow="+n;location.reload()}solve("abc",4)</script></body></html>',
    },
  ],
  [
    'pow worker',
    'challenged',
    {
      body: '<!doctype html><html><head><title>Acme</title></head><body><noscript>JavaScript required</noscript><script>const difficulty=18,prefix="f00";const w=new Worker("/_pow/worker.js");w.onmessage=e=>{fetch("/_pow/verify",{method:"POST",body:e.data}).then(()=>location.reload())};w.postMessage({prefix,difficulty})</script></body></html>',
    },
  ],
  [
    'cookie reload',
    'challenged',
    {
      body: '<html><body><script>document.cookie="visited=1; path=/";window.location.reload(true);</script></body></html>',
    },
  ],
  [
    'meta refresh self',
    'challenged',
    {
      body: '<html><head><title>Acme Shop</title><meta http-equiv="refresh" content="5;url=https://shop.example/"></head><body>Loading...</body></html>',
    },
  ],
  [
    'meta refresh self implicit',
    'challenged',
    { body: '<html><head><meta http-equiv="Refresh" content="2"></head><body></body></html>' },
  ],
  [
    'refresh header self',
    'challenged',
    { headers: { refresh: '3' }, body: '<html><body><p>One moment</p></body></html>' },
  ],
  [
    'obfuscated',
    'challenged',
    {
      body: '<html><head></head><body><script>var _0x1a2b=["\\x63\\x6f"];(function(_0x3c4d,_0x5e6f){var _0x7a8b=function(_0x9c0d){while(--_0x9c0d){_0x3c4d["push"](_0x3c4d["shift"]())}};_0x7a8b(++_0x5e6f)}(_0x1a2b,0x1));location[_0x1a2b[0]]();</script></body></html>',
    },
  ],
  [
    'hidden form autosubmit',
    'challenged',
    {
      body: '<html><body onload="document.forms[0].submit()"><form action="/verify" method="post"><input type="hidden" name="token" value="a"></form></body></html>',
    },
  ],
  [
    'wordfence',
    'challenged',
    {
      status: 503,
      body: page(
        'Your access to this site has been limited',
        '<h1>Your access to this site has been limited by the site owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>Generated by Wordfence</p>',
      ),
    },
  ],
  [
    'generic access denied 200',
    'challenged',
    { body: page('Access denied', '<h1>Access denied</h1><p>Your IP address 192.0.2.1 has been blocked.</p>') },
  ],
  [
    'generic hcaptcha',
    'challenged',
    {
      body: page(
        'Acme',
        '<h2>Let us know you are not a robot</h2><p>Complete the captcha to continue to Acme.</p><form><div class="h-captcha"></div></form><script src="https://js.hcaptcha.com/1/api.js"></script>',
      ),
    },
  ],
  [
    'generic fr',
    'challenged',
    {
      body: page(
        'Vérification de sécurité',
        '<h1>Vérification de votre navigateur</h1><p>Un instant…</p><script>x()</script>',
      ),
    },
  ],
  [
    'generic ru',
    'challenged',
    { body: page('Проверка браузера', '<p>Подождите, идёт проверка вашего браузера</p><script src="/c.js"></script>') },
  ],
  [
    'aliyun punish',
    'challenged',
    {
      body: '<!DOCTYPE html><html><head><title>Access Verification</title></head><body><div id="nocaptcha"></div><script src="https://g.alicdn.com/sd/nch5/index.js"></script></body></html>',
    },
  ],
  [
    'radware',
    'challenged',
    { url: 'https://validate.perfdrive.com/abc/?ssa=1', body: page('Radware Captcha Page', '<p>We apologize</p>') },
  ],
  [
    'litespeed',
    'challenged',
    {
      body: page(
        'Verify',
        '<form id="lsrecaptcha-form" method="POST" action="/.lsrecap/recaptcha?"></form><p>Verifying that you are not a robot...</p>',
      ),
    },
  ],
  [
    'stackpath',
    'challenged',
    {
      body: page('StackPath', '<p>This website is using a security service to protect itself from online attacks.</p>'),
    },
  ],
  [
    'noscript enable js only',
    'challenged',
    {
      body: '<html><head><title>Acme</title></head><body><noscript>Please enable JavaScript and cookies to continue.</noscript><script>var a=1;eval(atob("YWxlcnQoMSk="));</script></body></html>',
    },
  ],
  [
    'queue-it host',
    'waiting_room',
    {
      url: 'https://acme.queue-it.net/?c=acme&e=sale&t=https%3A%2F%2Fshop.example%2F&cid=en-US',
      body: page('Acme', '<h1 id="MainPart_h1">Thank you for visiting</h1>'),
    },
  ],
  [
    'queue-it custom domain',
    'waiting_room',
    {
      url: 'https://queue.shop.example/?c=acme&e=sale&t=https%3A%2F%2Fshop.example%2F',
      body: page(
        'Acme',
        '<h1>You are now in line</h1><p>Number of users in line ahead of you: 1200</p><link rel="stylesheet" href="https://static.queue-it.net/x.css">',
      ),
    },
  ],
  [
    'cf waiting',
    'waiting_room',
    {
      headers: { 'set-cookie': '__cfwaitingroom=a' },
      body: page(
        'Waiting Room',
        '<h1>You are now in line.</h1><p>Thank you for your patience.</p><p>Your estimated wait time is 4 minutes.</p><p>This page will auto refresh.</p>',
        '<meta http-equiv="refresh" content="20">',
      ),
    },
  ],
  [
    'own waiting de',
    'waiting_room',
    {
      body: page(
        'Acme Shop',
        '<h1>Warteraum</h1><p>Es sind gerade sehr viele Besucher im Shop. Sie werden automatisch weitergeleitet.</p>',
        '<meta http-equiv="refresh" content="15">',
      ),
    },
  ],
  [
    'own waiting high demand',
    'waiting_room',
    {
      status: 503,
      body: page(
        'Acme',
        '<h1>We are experiencing high demand</h1><p>You are in the queue. Please wait, you will be redirected shortly.</p>',
      ),
    },
  ],
  [
    'own waiting fr',
    'waiting_room',
    { body: page('Acme', "<h1>File d'attente</h1><p>Votre temps d'attente est estimé à 3 minutes.</p>") },
  ],
  [
    'own waiting es',
    'waiting_room',
    { body: page('Acme', '<h2>Sala de espera</h2><p>Estás en la cola. Tu turno llegará pronto.</p>') },
  ],
  [
    'consent own',
    'consent_wall',
    {
      body: page(
        'Acme',
        '<div class="consent"><h1>Before you continue to Acme</h1><p>We use cookies and data to deliver and maintain our services.</p><form><button>Reject all</button><button>Accept all</button></form><a href="/privacy">Privacy</a><a href="/terms">Terms</a></div>',
      ),
    },
  ],
  [
    'consent de',
    'consent_wall',
    {
      url: 'https://shop.example/consent?return=%2F',
      body: page(
        'Zustimmung',
        '<h1>Ihre Privatsphäre ist uns wichtig</h1><p>Wir und unsere Partner nutzen Cookies.</p><button>Akzeptieren</button><button>Ablehnen</button>',
      ),
    },
  ],
  [
    'consent nl',
    'consent_wall',
    { body: page('Acme', '<h2>Jouw privacy</h2><p>Wij plaatsen cookies.</p><button>Akkoord</button>') },
  ],
  [
    'age own',
    'age_wall',
    {
      body: page(
        'Vineyard Cellar',
        '<img src="/logo.png"><h1>Welcome</h1><p>You must be 21 or older to enter this site.</p><a href="/?age=ok">I am over 21</a><a href="https://google.com">Exit</a>',
      ),
    },
  ],
  [
    'age de',
    'age_wall',
    { body: page('Weinhandel', '<h2>Sind Sie über 18 Jahre alt?</h2><button>Ja</button><button>Nein</button>') },
  ],
  [
    'age fr',
    'age_wall',
    {
      body: page(
        'Cave',
        "<h2>Avez-vous plus de 18 ans ?</h2><button>Oui</button><button>Non</button><p>L'abus d'alcool est dangereux</p>",
      ),
    },
  ],
  [
    'age dob',
    'age_wall',
    {
      url: 'https://shop.example/age-gate?redirect=/',
      body: page(
        'Brew',
        '<h1>Brew</h1><form><label>Day <input name="d"></label><label>Month <input name="m"></label><label>Year <input name="y"></label><button>Enter</button></form>',
      ),
    },
  ],
  ['age it', 'age_wall', { body: page('Enoteca', '<h1>Sei maggiorenne?</h1><button>Sì</button><button>No</button>') }],
  [
    'age es',
    'age_wall',
    { body: page('Vinos', '<h2>¿Eres mayor de edad?</h2><a href="/?si=1">Sí</a><a href="/?no=1">No</a>') },
  ],
  [
    'age shopify marks',
    'age_wall',
    {
      body: page(
        'Vape',
        '<h1>Age verification</h1><p>Are you 18 or older?</p><button>Yes</button><button>No</button>',
        '<script>var Shopify=Shopify||{};Shopify.shop="v.myshopify.com"</script><link rel="stylesheet" href="//shop.example/cdn/shop/t/1/assets/base.css">',
      ),
    },
  ],
  [
    'login own',
    'login_wall',
    {
      url: 'https://shop.example/account/login?return_url=%2F',
      body: page(
        'Acme B2B',
        '<h1>Login</h1><form action="/account/login" method="post"><input type="email" name="e"><input type="password" name="p"><button>Sign in</button></form><a href="/account/register">Register</a><a href="/account/recover">Forgot password</a>',
      ),
    },
  ],
  [
    'login de',
    'login_wall',
    {
      body: page(
        'Großhandel',
        '<h2>Anmelden</h2><p>Unser Shop ist nur für Händler.</p><form><input name="user"><input type="password" name="pw"><button>Anmelden</button></form><a href="/impressum">Impressum</a><a href="/datenschutz">Datenschutz</a>',
      ),
    },
  ],
  [
    'login ms',
    'login_wall',
    {
      url: 'https://login.microsoftonline.com/x/oauth2/v2.0/authorize?redirect_uri=https%3A%2F%2Fshop.example%2F',
      body: page('Sign in to your account', '<div></div>'),
    },
  ],
  [
    'login magento',
    'login_wall',
    {
      url: 'https://shop.example/customer/account/login/',
      body: page(
        'Customer Login',
        '<h1>Customer Login</h1><form class="form form-login" id="login-form"><input name="login[username]" type="email"><input name="login[password]" type="password"><button>Sign In</button></form>',
        '<script src="https://shop.example/static/version1700000000/frontend/Magento/luma/en_US/requirejs/require.js"></script>',
      ),
    },
  ],
  [
    'login fr',
    'login_wall',
    {
      body: page(
        'Espace pro',
        '<h1>Connexion</h1><form><input type="text"><input type="password"><input type="submit" value="Se connecter"></form>',
      ),
    },
  ],
  [
    'basic auth',
    'forbidden',
    { status: 401, headers: { 'www-authenticate': 'Basic' }, body: '<h1>401 Unauthorized</h1>' },
  ],
  [
    'maint plain',
    'maintenance_page',
    {
      body: '<!doctype html><html><head><title>Be right back</title></head><body><h1>We will be back soon</h1></body></html>',
    },
  ],
  [
    'maint title shop',
    'maintenance_page',
    {
      body: page(
        'Acme Shop',
        '<h1>Acme Shop</h1><p>We are making some improvements and will be back online shortly.</p>',
      ),
    },
  ],
  [
    'maint de',
    'maintenance_page',
    { body: page('Acme', '<h1>Wartungsarbeiten</h1><p>Wir sind gleich wieder für Sie da.</p>') },
  ],
  ['under construction', 'maintenance_page', { body: page('Acme', '<p>This site is under construction.</p>') }],
  [
    'opening soon',
    'maintenance_page',
    {
      body: page(
        'Acme',
        '<h1>Opening soon</h1><form><input type="email" placeholder="E-mail"><button>Notify me</button></form>',
      ),
    },
  ],
  [
    'prestashop maint',
    'maintenance_page',
    {
      status: 200,
      body: page(
        'Acme',
        '<div id="maintenance"><h1>We\'ll be back soon.</h1><p>We are currently updating our shop and will be back really soon.</p></div>',
        '<link rel="stylesheet" href="/themes/classic/assets/css/theme.css">',
      ),
    },
  ],
  ['empty', 'empty_page', { body: '' }],
  ['spaces', 'empty_page', { body: '  \n ' }],
  ['doctype', 'empty_page', { body: '<!doctype html><html><head></head><body></body></html>' }],
  ['title only', 'empty_page', { body: page('Acme Shop', '') }],
  ['comment only', 'empty_page', { body: '<!-- a -->' }],
  ['nbsp', 'empty_page', { body: '<html><body>&nbsp;</body></html>' }],
  [
    'div only',
    'empty_page',
    {
      body: page(
        'Acme Shop',
        '<div class="wrap"><div></div></div>',
        '<link rel="stylesheet" href="/style.css"><link rel="icon" href="/favicon.ico">',
      ),
    },
  ],
  ['ok', 'empty_page', { body: 'OK' }],
  [
    'php fatal',
    'error_page',
    {
      body: '<br />\n<b>Fatal error</b>:  Uncaught Error: Class "X" not found in /var/www/html/index.php:12\nStack trace:\n#0 {main}\n  thrown in <b>/var/www/html/index.php</b> on line <b>12</b><br />\n',
    },
  ],
  [
    'php fatal plain',
    'error_page',
    {
      body: 'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /home/x/y.php on line 3',
    },
  ],
  [
    'php parse titled',
    'error_page',
    {
      body: page(
        'Acme Shop',
        '<b>Parse error</b>: syntax error, unexpected token "}" in <b>/home/acme/public_html/wp-config.php</b> on line <b>90</b>',
      ),
    },
  ],
  [
    'php warn db',
    'error_page',
    {
      body: '<br />\n<b>Warning</b>:  mysqli_connect(): (HY000/2002): Connection refused in <b>/var/www/db.php</b> on line <b>4</b><br />\nCould not connect to database',
    },
  ],
  [
    'wp db',
    'error_page',
    { status: 200, body: page('Database Error', '<h1>Error establishing a database connection</h1>') },
  ],
  [
    'wp critical',
    'error_page',
    {
      body: page(
        'WordPress &rsaquo; Error',
        '<div class="wp-die-message"><p>There has been a critical error on this website.</p></div>',
      ).replace('<body>', '<body id="error-page">'),
    },
  ],
  [
    'fatal at end',
    'error_page',
    {
      body:
        '<!doctype html><html><head><title>Acme</title><link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css"></head><body><nav>' +
        Array.from({ length: 12 }, (_, i) => `<a href="/c/${i}">Category ${i}</a>`).join('') +
        '</nav><main><h1>Acme</h1><br />\n<b>Fatal error</b>:  Uncaught TypeError: count(): Argument #1 must be of type Countable in /home/a/wp-content/themes/x/loop.php:33\nStack trace:\n#0 /home/a/wp-includes/template.php(10)\n#1 {main}\n  thrown in <b>/home/a/wp-content/themes/x/loop.php</b> on line <b>33</b><br />',
    },
  ],
  [
    'python',
    'error_page',
    {
      body: '<html><body><h1>Server error</h1><pre>Traceback (most recent call last):\n File "a.py", line 1\nKeyError</pre></body></html>',
    },
  ],
  [
    'django',
    'error_page',
    {
      body: page(
        'ProgrammingError at /',
        '<div id="summary"><h1>ProgrammingError at /</h1><pre class="exception_value">relation "x" does not exist</pre><table><tr><th>Request Method:</th><td>GET</td></tr></table></div><div id="traceback">' +
          '<p>File "/srv/app/views.py" in home 12. return render(request)</p>'.repeat(60) +
          '</div><div id="explanation"><p>You\'re seeing this error because you have <code>DEBUG = True</code></p></div>',
      ),
    },
  ],
  [
    'rails',
    'error_page',
    {
      body: page(
        'Action Controller: Exception caught',
        '<header><h1>NoMethodError in StoreController#index</h1></header><div id="container">' +
          '<pre>app/controllers/store_controller.rb:12</pre>'.repeat(80) +
          '</div>',
      ),
    },
  ],
  [
    'laravel',
    'error_page',
    {
      body: page(
        'Illuminate\\Database\\QueryException: SQLSTATE[HY000] [2002] Connection refused',
        '<div class="Whoops container"><div class="stack-container">' +
          '<div>vendor/laravel/framework/src/Illuminate</div>'.repeat(80) +
          '</div></div>',
      ),
    },
  ],
  [
    'symfony',
    'error_page',
    {
      body: page(
        'An exception occurred in the driver: SQLSTATE[HY000] (500 Internal Server Error)',
        '<div class="exception-summary"><h1 class="exception-message">An exception occurred</h1></div>' +
          '<div class="trace-line">at Connection->connect() in vendor/doctrine</div>'.repeat(60),
      ),
    },
  ],
  [
    'aspnet',
    'error_page',
    {
      body: page(
        'Runtime Error',
        "<span><h1>Server Error in '/' Application.<hr></h1><h2><i>Runtime Error</i></h2></span><font>Description: An exception occurred while processing your request.</font>",
      ),
    },
  ],
  [
    'java',
    'error_page',
    {
      body: page(
        'HTTP Status 500 – Internal Server Error',
        '<h1>HTTP Status 500 – Internal Server Error</h1><p><b>Exception</b></p><pre>java.lang.NullPointerException\n\tat com.shop.Home.render(Home.java:42)\n\tat org.apache.catalina.core</pre>',
      ),
    },
  ],
  [
    'java bare',
    'error_page',
    { body: '<pre>java.sql.SQLException: Connection refused\n\tat com.shop.Db.connect(Db.java:42)\n</pre>' },
  ],
  [
    'node',
    'error_page',
    {
      body: '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body><pre>Error: connect ECONNREFUSED 127.0.0.1:5432<br> &nbsp; &nbsp;at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16)</pre></body></html>',
    },
  ],
  [
    'next error',
    'error_page',
    {
      body: page(
        '500: Internal Server Error',
        '<div id="__next"><h1 class="next-error-h1">500</h1><h2>Internal Server Error.</h2></div>',
      ),
    },
  ],
  [
    'suspended',
    'error_page',
    {
      body: page(
        'Account Suspended',
        '<h1>Account Suspended</h1><p>This Account has been suspended. Contact your hosting provider for more information.</p>',
      ),
    },
  ],
  ['suspended de', 'error_page', { body: page('Gesperrt', '<h1>Diese Website wurde gesperrt</h1>') }],
  [
    'bandwidth',
    'error_page',
    {
      body: page(
        '509 Bandwidth Limit Exceeded',
        '<h1>Bandwidth Limit Exceeded</h1><p>The server is temporarily unable to service your request due to the site owner reaching his/her bandwidth limit.</p>',
      ),
    },
  ],
  [
    'nginx',
    'error_page',
    {
      body: page(
        'Welcome to nginx!',
        '<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p><p>For online documentation and support please refer to <a href="http://nginx.org/">nginx.org</a>.</p>',
      ),
    },
  ],
  ['apache works', 'error_page', { body: '<html><body><h1>It works!</h1></body></html>' }],
  [
    'apache ubuntu',
    'error_page',
    {
      body: page(
        'Apache2 Ubuntu Default Page: It works',
        '<div class="main_page"><span class="floating_element">Apache2 Ubuntu Default Page</span>' +
          '<p>This is the default welcome page used to test the correct operation of the Apache2 server after installation on Ubuntu systems.</p>'.repeat(
            20,
          ) +
          '</div>',
      ),
    },
  ],
  [
    'iis',
    'error_page',
    {
      body: page(
        'IIS Windows Server',
        '<div id="container"><a href="http://go.microsoft.com/fwlink/?linkid=66138&amp;clcid=0x409"><img src="iisstart.png" alt="IIS" width="960" height="600"></a></div>',
      ),
    },
  ],
  [
    'plesk',
    'error_page',
    {
      body: page(
        'Domain Default page',
        '<h1>If you are seeing this message, the website for is not available at this time.</h1><p>If you are the owner of this website, one of the following things may be occurring</p>',
      ),
    },
  ],
  [
    'index of',
    'error_page',
    {
      body:
        '<html><head><title>Index of /</title></head><body><h1>Index of /</h1><table><tr><th>Name</th></tr>' +
        Array.from({ length: 15 }, (_, i) => `<tr><td><a href="f${i}.zip">f${i}.zip</a></td></tr>`).join('') +
        '</table></body></html>',
    },
  ],
  [
    '502 200',
    'error_page',
    {
      body: '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.24.0</center></body></html>',
    },
  ],
  [
    '404 200',
    'error_page',
    {
      body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>',
    },
  ],
  [
    '404 404',
    'error_page',
    {
      status: 404,
      body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>',
    },
  ],
  [
    's3',
    'error_page',
    {
      headers: { 'content-type': 'application/xml' },
      body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message><BucketName>shop.example</BucketName></Error>',
    },
  ],
  [
    'heroku',
    'error_page',
    {
      body: page('Application error', '<iframe src="//www.herokucdn.com/error-pages/application-error.html"></iframe>'),
    },
  ],
  [
    'magento report',
    'error_page',
    {
      body: page(
        'There has been an error processing your request',
        '<h1>There has been an error processing your request</h1><p>Exception printing is disabled by default for security reasons.</p><p>Error log record number: 1</p>',
      ),
    },
  ],
  [
    'magento1 trace',
    'error_page',
    {
      body: page(
        'Error',
        '<p>There has been an error processing your request</p><pre>SQLSTATE[HY000] [2002] No such file or directory\nTrace:\n#0 /lib/Varien/Db/Adapter/Pdo/Mysql.php(396)</pre>',
      ),
    },
  ],
  [
    'varnish',
    'error_page',
    {
      body: page(
        '503 Backend fetch failed',
        '<h1>Error 503 Backend fetch failed</h1><p>Backend fetch failed</p><h3>Guru Meditation:</h3><p>XID: 1</p><hr><p>Varnish cache server</p>',
      ),
    },
  ],
  ['oops', 'error_page', { body: page('Acme', '<h1>Oops! Something went wrong</h1><p>We are working on it.</p>') }],
  ['db generic', 'error_page', { body: 'Could not connect: Too many connections' }],
  ['sqlstate', 'error_page', { body: 'SQLSTATE[HY000] [1040] Too many connections' }],
  [
    'opencart',
    'error_page',
    {
      body: '<b>Notice</b>: Error: Could not make a database link using shop@localhost! in <b>/home/x/system/database/mysql.php</b> on line <b>6</b>',
    },
  ],
  [
    'phpinfo',
    'error_page',
    {
      body: page(
        'PHP 8.1.2 - phpinfo()',
        '<div class="center"><h1 class="p">PHP Version 8.1.2</h1><table>' +
          '<tr><td class="e">System</td><td class="v">Linux</td></tr>'.repeat(300) +
          '</table></div>',
      ),
    },
  ],
  [
    'netlify',
    'error_page',
    {
      body: page(
        'Site not found',
        "<h1>Site not found</h1><p>Looks like you've followed a broken link or entered a URL that doesn't exist on Netlify.</p>",
      ),
    },
  ],
  [
    'upstream',
    'error_page',
    {
      body: 'upstream connect error or disconnect/reset before headers. retried and the latest reset reason: connection timeout',
    },
  ],
  ['hello', 'empty_page', { body: '<h1>Hello</h1>' }],
  [
    'cpanel sorry',
    'error_page',
    {
      body: page(
        'Default Web Site Page',
        '<h1>SORRY!</h1><p>If you are the owner of this website, please contact your hosting provider</p>',
      ),
    },
  ],
  ['gzip latin1', 'undecodable', { body: gzipSync(shopHtml).toString('latin1') }],
  ['gzip utf8', 'undecodable', { body: gzipSync(shopHtml).toString('utf8') }],
  ['br latin1', 'undecodable', { body: brotliCompressSync(Buffer.from(shopHtml)).toString('latin1') }],
  ['br utf8', 'undecodable', { body: brotliCompressSync(Buffer.from(shopHtml + 'äöü€'.repeat(9))).toString('utf8') }],
  ['zstd utf8', 'undecodable', { body: zstdCompressSync(Buffer.from(shopHtml)).toString('utf8') }],
  ['deflate', 'undecodable', { body: deflateSync(shopHtml).toString('latin1') }],
  ['png', 'undecodable', { body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('latin1') }],
  ['pdf', 'undecodable', { body: '%PDF-1.7\n%\u00e2\u00e3\n1 0 obj' }],
  [
    'meta refresh path',
    'redirect_page',
    { body: '<html><head><meta http-equiv="refresh" content="0; url=/shop/"></head><body></body></html>' },
  ],
  [
    'meta refresh other',
    'redirect_page',
    {
      body: page(
        'Acme Shop',
        '<p>We have moved to <a href="https://acme-new.example/">our new address</a></p>',
        '<meta http-equiv="refresh" content="3; url=https://acme-new.example/">',
      ),
    },
  ],
  [
    'refresh header',
    'redirect_page',
    { headers: { Refresh: '0; url=https://shop.example/en' }, body: '<html><body></body></html>' },
  ],
  [
    'script',
    'redirect_page',
    {
      body: '<html><head><title>Acme</title><script>window.location.href = "https://shop.example/index.php";</script></head><body></body></html>',
    },
  ],
  [
    'script replace',
    'redirect_page',
    { body: '<script type="text/javascript">top.location.replace(\'/home.html\');</script>' },
  ],
  [
    'script settimeout',
    'redirect_page',
    {
      body: page(
        'Redirecting…',
        '<p>Redirecting… <a href="/en/">click here</a></p><script>setTimeout(function(){ document.location = "/en/"; }, 500)</script>',
      ),
    },
  ],
  [
    'script lang',
    'redirect_page',
    {
      body: '<!doctype html><html><head><script>var l=navigator.language;if(l.indexOf("de")===0){location.href="/de/"}else{location.href="/en/"}</script></head><body></body></html>',
    },
  ],
  [
    'frameset',
    'redirect_page',
    {
      body: '<html><head><title>Acme Shop</title></head><frameset rows="100%,*" border="0"><frame src="http://acme.hoster.example/" frameborder="0"><noframes>Your browser does not support frames</noframes></frameset></html>',
    },
  ],
  [
    'iframe full',
    'redirect_page',
    {
      body: page(
        'Acme Shop',
        '<iframe src="https://acme.hoster.example/" style="width:100%;height:100vh;border:0"></iframe>',
      ),
    },
  ],
  ['body onload', 'redirect_page', { body: '<html><body onload="location.replace(\'/start\')"></body></html>' }],
  [
    'form post other',
    'redirect_page',
    {
      body: '<html><body><form id="f" method="post" action="https://sso.example.org/login"><input type="hidden" name="SAMLRequest" value="a"></form><script>document.getElementById("f").submit()</script></body></html>',
    },
  ],
];
export const parkedPages: readonly (readonly [string, Answer])[] = [
  [
    'godaddy',
    {
      body: '<!DOCTYPE html><html><head><script>window.onload=function(){window.location.href="/lander?x=1"}</script></head></html>',
    },
  ],
  ['sedo', { body: page('oldshop.example', '<script src="https://img.sedoparking.com/templates/x.js"></script>') }],
  ['for sale', { body: page('oldshop.example', '<h1>oldshop.example is for sale</h1><p>Buy this domain</p>') }],
  [
    'hugedomains',
    {
      body: page(
        'OldShop.example is for sale | HugeDomains',
        '<h1>OldShop.example</h1><p>This domain is for sale: $2,995</p>',
      ),
    },
  ],
  [
    'namecheap',
    {
      body: page(
        'Registrant WHOIS contact information verification',
        '<p>This domain is parked free of charge with Namecheap</p>',
      ),
    },
  ],
];

const products = '<article><a href="/p/1">Mug</a> <span>$12.00</span></article>';
export const ownPages: readonly (readonly [string, string])[] = [
  [
    'brand maintenance',
    page(
      'Maintenance Direct',
      '<h1>Maintenance Direct</h1><nav><a href="/tools">Tools</a><a href="/paint">Paint</a><a href="/safety">Safety</a></nav>',
    ),
  ],
  [
    'record shop',
    page(
      'The Waiting Room – vinyl',
      '<h1>The Waiting Room</h1><p>Vinyl, tapes and coffee since 1998.</p><a href="/new">New in</a><a href="/jazz">Jazz</a>',
    ),
  ],
  ['captcha coffee', page('Captcha Coffee', `<h1>Captcha Coffee</h1>${products}<a href="/cart">Cart</a>`)],
  [
    'age modal',
    page(
      'Hop Cellar',
      `<div class="modal"><h2>Are you over 18?</h2><button>Yes</button><button>No</button></div><nav><a href="/ipa">IPA</a><a href="/stout">Stout</a></nav>${products}`,
    ),
  ],
  [
    'cookie banner first',
    page(
      'Tea Garden',
      '<div id="cookie"><h2>We value your privacy</h2><p>We use cookies.</p><button>Accept all</button></div><h1>Tea Garden</h1><p>Fine teas from the mountains, picked by hand and sent to you.</p><a href="/green">Green tea</a><a href="/black">Black tea</a>',
    ),
  ],
  [
    'cookie banner only text page',
    page('Vet clinic', '<h1>Vet clinic</h1><p>Opening hours</p><div><p>We use cookies</p><button>OK</button></div>'),
  ],
  [
    'login header',
    page(
      'Nordtool',
      `<form action="/login"><input name="u"><input type="password" name="p"><button>Login</button></form><h1>Nordtool</h1><nav><a href="/saws">Saws</a><a href="/drills">Drills</a></nav>${products}`,
    ),
  ],
  [
    'coming soon section',
    page(
      'Pottery',
      `<h1>Pottery</h1><nav><a href="/bowls">Bowls</a><a href="/cups">Cups</a></nav><h2>Coming soon: vases</h2>${products}`,
    ),
  ],
  [
    'blog cloudflare',
    page(
      'Why you see "Just a moment..." on Cloudflare sites',
      '<article><h1>Why you see "Just a moment..."</h1>' +
        '<p>Cloudflare shows a challenge with the text Enable JavaScript and cookies to continue. We explain what you can do about it.</p>'.repeat(
          30,
        ) +
        '</article><a href="/blog/1">More</a><a href="/blog/2">Other</a>',
    ),
  ],
  [
    'blog php',
    page(
      'Fix: Fatal error: Allowed memory size',
      '<article><h1>Fix the fatal error</h1>' +
        '<p>Raise memory_limit in php.ini.</p>'.repeat(60) +
        '<pre>Fatal error: Allowed memory size of 134217728 bytes exhausted in /x.php on line 3</pre></article><footer>About us</footer>',
    ),
  ],
  [
    'php warning above shop',
    '<br />\n<b>Warning</b>:  Undefined variable $x in <b>/home/a/x.php</b> on line <b>3</b><br />\n' +
      page(
        'Mugs',
        `<h1>Mugs</h1><nav><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a></nav>${products}<a href="/cart">Cart</a>`,
      ),
  ],
  [
    'spa',
    page(
      'Orbit',
      '<div id="root"></div><script type="module" src="/assets/index-1a2b.js"></script>',
      '<link rel="stylesheet" href="/assets/index-1a2b.css">',
    ),
  ],
  [
    'spa noscript',
    page(
      'React App',
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/js/main.js"></script>',
    ),
  ],
  [
    'spa datadome',
    page(
      'Orbit',
      '<noscript>Please enable JavaScript</noscript><div id="app"></div><script src="/app.js"></script><script src="https://js.datadome.co/tags.js"></script>',
    ),
  ],
  [
    'shell imperva',
    page(
      'Orbit',
      '<app-root></app-root><script src="/main.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e"></script>',
    ),
  ],
  [
    'meta refresh news',
    page(
      'Tea news',
      `<h1>Tea news</h1>${'<p>News of tea.</p>'.repeat(40)}<a href="/a1">a</a><a href="/a2">b</a>`,
      '<meta http-equiv="refresh" content="300">',
    ),
  ],
  [
    'noscript refresh',
    page(
      'Tea',
      '<h1>Tea</h1><p>Fine teas picked by hand.</p><a href="/green">Green</a>',
      '<noscript><meta http-equiv="refresh" content="0;url=/?nojs=1"></noscript>',
    ),
  ],
  [
    'business card',
    page('Müller Maler', '<h1>Müller Malerbetrieb</h1><p>Hauptstraße 1, 10115 Berlin, Tel. 030 123456</p>'),
  ],
  [
    'framebuster',
    page(
      'Tea House',
      '<script>if(top!=self)top.location=self.location;</script><h1>Tea House</h1><p>Visit us in town.</p>',
    ),
  ],
  [
    'embedded map',
    page(
      'Tea House',
      '<h1>Tea House</h1><p>Visit us in the old town, open daily from nine to six.</p><iframe src="https://maps.google.com/embed?x"></iframe>',
    ),
  ],
  [
    'embedded shop frame',
    page(
      'Band',
      '<h1>Band</h1><p>Our merch: shirts and records for sale right here.</p><iframe src="https://band.myspreadshop.com/"></iframe><a href="/tour">Tour</a>',
    ),
  ],
  [
    'contact with recaptcha',
    page(
      'Clinic',
      '<h1>Clinic</h1><p>Write to us</p><form><input name="n"><textarea></textarea><div class="g-recaptcha"></div><button>Send</button></form>',
    ),
  ],
  ['status shop', page('Error 404 Clothing', `<h1>Error 404 Clothing</h1>${products}<a href="/cart">Cart</a>`)],
  [
    'error brand nav',
    page(
      'Internal Server Error – the T-shirt brand',
      '<h1>Internal Server Error</h1><nav><a href="/shirts">Shirts</a><a href="/caps">Caps</a></nav>',
    ),
  ],
  [
    'age text footer',
    page(
      'Wine bar',
      '<h1>Wine bar</h1><p>Natural wines by the glass. You must be 18 to drink.</p><a href="/menu">Menu</a><a href="/events">Events</a>',
    ),
  ],
  [
    'register form',
    page(
      'Register New User',
      '<form><input name="a"><input name="b"><input name="c"><input type="password"><input type="password"><button>Register</button></form>',
    ),
  ],
  [
    'lang gateway',
    page(
      'Acme',
      '<h1>Choose your country</h1><a href="/de/">Deutschland</a><a href="/fr/">France</a><a href="/it/">Italia</a>',
    ),
  ],
  [
    'linktree',
    page(
      'Mia',
      '<h1>Mia</h1><p>Potter</p><a href="https://instagram.com/mia">Instagram</a><a href="https://mia.etsy.com">Shop</a>',
    ),
  ],
  [
    'shop 404 home',
    page('Acme', `<h1>Acme</h1><nav><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a></nav>${products}`),
  ],
  [
    'directory listing word',
    page(
      'Index of teas',
      '<h1>Index of teas</h1><ul><li><a href="/assam">Assam</a></li><li><a href="/oolong">Oolong</a></li></ul>',
    ),
  ],
  [
    'xampp blog',
    page('XAMPP tutorial', `<h1>XAMPP tutorial</h1>${'<p>Install it.</p>'.repeat(100)}<a href="/a">a</a>`),
  ],
  [
    'security shop',
    page(
      'Nordlock Security',
      '<h1>Security systems for your home</h1><p>Cameras, locks, alarms.</p><a href="/cameras">Cameras</a><a href="/locks">Locks</a>',
    ),
  ],
  [
    'moment shop',
    page(
      'Just a Moment – candles',
      '<h1>Just a Moment</h1><p>Candles poured by hand.</p><a href="/candles">Candles</a><a href="/gifts">Gifts</a>',
    ),
  ],
];
