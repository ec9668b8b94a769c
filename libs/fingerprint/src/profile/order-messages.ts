import { decodedUri } from '../page/decoded-uri.ts';
import type { PageEvidence } from '../page/evidence.ts';

/**
 * Finds links that prepare a message to a seller. Shops without a basket take orders this way. Agents, clinics and craftsmen use such links
 * for questions and appointments.
 */
const messageLink = /^https?:\/\/(?:wa\.me\/(\d{6,16})\?|(?:api|web)\.whatsapp\.com\/send\/?\?)(.{1,900})/i;
const messageText = /(?:^|[?&])text=([^&]{4,800})/i;
const messageNumber = /(?:^|[?&])phone=(?:\+|%2B)?(\d{6,16})/i;
/** Requests of an order in the prepared message. */
const orderInMessage =
  /\b(?:(?:like|want|wish) to (?:order|buy|purchase)|(?:place|make) an order|interested in ordering|gostaria de (?:comprar|pedir|encomendar)|quero (?:comprar|pedir)|fazer (?:um|o) pedido|(?:quiero|quisiera|me gustaría) (?:comprar|pedir|ordenar|hacer un pedido)|(?:souhaite|voudrais|veux) (?:commander|acheter)|(?:möchte|würde gern(?:e)?) .{0,60}(?:bestellen|kaufen)|(?:vorrei|voglio) (?:ordinare|acquistare|comprare)|(?:mau|ingin) (?:pesan|order|beli)|sipariş vermek|satın almak)\b/i;
/** Requests for something that is not goods of a shop: appointments, quotes, information, homes, rooms, vehicles. */
const noGoods = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'appointments?|quotes?|quotation|estimate|consultation|information|house|apartment|villa|condo|property|plot of land|hotel room|(?:double|single|deluxe|family) room|(?:a|the|your|this|used|second-?hand) (?:car|flat|room|vehicle|motorbike)(?= (?:in|at|on|with|from|for)(?!\\p{L})|[.,!?;:]|$)',
    'cita|informaci[oó]n|presupuesto|cotizaci[oó]n|turno|consulta|una hora|apartamento|departamento|piso|inmueble|terreno|habitaci[oó]n|coche|vehículo|(?:la|una) casa(?! \\p{Lu})',
    'informaç(?:ão|ões)|orçamento|agendamento|horário|imóvel|veículo|quarto|(?:a|uma) visita',
    'rendez-vous|devis|renseignements?|appartement|maison à|voiture|chambre',
    'termin|angebot|wohnung|haus|grundstück|gebrauchtwagen|auto|zimmer',
    'appuntamento|preventivo|informazioni|appartamento|immobile|camera',
    'kamar|rumah|tanah|mobil|jadwal|daire|arsa|villa|oda|araba|randevu|teklif',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Two such links may be about one thing, because a page may repeat a link in its head and foot. */
const minOrders = 3;
const maxLinks = 1500;

/** Whether the page has links that prepare different orders of goods, as messages to one number. */
export function takesOrdersByMessage({ document }: PageEvidence): boolean {
  const orders = new Map<string, Set<string>>();
  for (const { attribs } of document.byTag('a').slice(0, maxLinks)) {
    const [, path, query] = messageLink.exec((attribs.href ?? '').slice(0, 1024)) ?? [];
    if (query === undefined) continue;
    const number = path ?? messageNumber.exec(query)?.[1] ?? '';
    const text = decodedUri((messageText.exec(query)?.[1] ?? '').replaceAll('+', ' '));
    if (!ordersGoods(text)) continue;
    const texts = orders.get(number) ?? new Set();
    orders.set(number, texts.add(text));
    if (texts.size >= minOrders) return true;
  }
  return false;
}

/** Whether the message orders goods. The words after the verb name the ordered thing; in some languages, the words before it. */
function ordersGoods(text: string): boolean {
  const order = orderInMessage.exec(text);
  if (!order) return false;
  const before =
    text
      .slice(0, order.index)
      .split(/[.,!?;:\n]/)
      .at(-1) ?? '';
  const [after = ''] = text.slice(order.index + order[0].length).split(/(?<=[.,!?;:\n])/, 1);
  const around = [...before.trim().split(/\s+/).slice(-2), order[0], ...after.trim().split(/\s+/, 5)];
  return !noGoods.test(around.join(' '));
}
