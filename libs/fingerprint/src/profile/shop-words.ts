/** Words of shops by language. A label is compared as a whole, so a sentence with such a word does not count. */
export interface ShopWords {
  language: string;
  /** Labels of buttons that put a product into the basket. */
  order: readonly string[];
  /** Names of the basket. */
  basket: readonly string[];
}

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

const of = (language: string, order: string, basket: string): ShopWords => ({
  language,
  order: words(order),
  basket: words(basket),
});

export const shopWords: readonly ShopWords[] = [
  of(
    'en',
    'add to cart,add to bag,add to basket,add to trolley,add item to cart,add to my bag,add to my cart,add to shopping bag,add to shopping cart,add to order,put in cart,in cart',
    'cart,basket,bag,trolley,shopping cart,shopping bag,shopping basket,my cart,my bag,my basket,your cart,your bag,your basket,view cart,view basket,view bag',
  ),
  of(
    'de',
    'in den warenkorb,in den einkaufswagen,in den korb,in warenkorb,zum warenkorb hinzufügen,in den warenkorb legen,in die einkaufstasche',
    'warenkorb,einkaufswagen,einkaufskorb,mein warenkorb,ihr warenkorb,zum warenkorb,warenkorb anzeigen,einkaufstasche',
  ),
  of(
    'fr',
    'ajouter au panier,mettre au panier,ajouter à mon panier,ajout au panier,ajouter au cabas',
    'panier,mon panier,votre panier,voir le panier,voir mon panier',
  ),
  of(
    'es',
    'añadir al carrito,agregar al carrito,añadir a la cesta,añadir a la bolsa,agregar a la bolsa,agregar al carro,añadir al carro,agregar a la canasta,agregar a carrito,agregar producto,agregar al pedido,añadir al pedido,comprar ahora,comprar ya',
    'carrito,cesta,mi cesta,mi carrito,carrito de compras,carrito de compra,cesta de la compra,bolsa de compras,tu carrito,ver carrito,mi bolsa,carro de compras',
  ),
  of(
    'it',
    'aggiungi al carrello,metti nel carrello,aggiungi alla borsa,aggiungi al cesto,inserisci nel carrello',
    'carrello,il mio carrello,il tuo carrello,vedi carrello,vai al carrello,borsa',
  ),
  of(
    'pt',
    'adicionar ao carrinho,adicionar à sacola,adicionar ao cesto,colocar no carrinho,incluir no carrinho,adicionar à cesta,pôr no carrinho,colocar na sacola,comprar agora,comprar já',
    'carrinho,meu carrinho,carrinho de compras,sacola,minha sacola,cesto de compras,ver carrinho,o meu carrinho',
  ),
  of(
    'nl',
    'in winkelwagen,in winkelmandje,toevoegen aan winkelwagen,aan winkelwagen toevoegen,in mijn winkelwagen,voeg toe aan winkelwagen,in mandje',
    'winkelwagen,winkelmandje,winkelmand,mijn winkelwagen,winkelwagentje',
  ),
  of(
    'pl',
    'do koszyka,dodaj do koszyka,wrzuć do koszyka,włóż do koszyka',
    'koszyk,twój koszyk,mój koszyk,zobacz koszyk,koszyk zakupów',
  ),
  of(
    'sv',
    'lägg i varukorg,lägg i varukorgen,lägg i kundvagn,lägg till i varukorg,köp nu,lägg i korgen',
    'varukorg,kundvagn,min varukorg,varukorgen,kundkorg,till kassan',
  ),
  of(
    'da',
    'læg i kurv,læg i kurven,tilføj til kurv,føj til kurv,læg i indkøbskurv',
    'kurv,indkøbskurv,min kurv,se kurv,din kurv,indkøbsvogn',
  ),
  of(
    'no',
    'legg i handlekurv,kjøp nå,legg i handlekurven,legg i handlevogn,kjøp,legg i kurv,legg til i handlekurv',
    'handlekurv,handlevogn,min handlekurv,handlekurven',
  ),
  of('fi', 'lisää ostoskoriin,lisää koriin,ostoskoriin', 'ostoskori,ostoskorisi,ostoskassi,siirry ostoskoriin'),
  of('is', 'setja í körfu,bæta í körfu,bæta við körfu', 'karfa,karfan,innkaupakarfa,skoða körfu'),
  of('cs', 'do košíku,přidat do košíku,vložit do košíku,koupit', 'košík,nákupní košík,můj košík,váš košík'),
  of('sk', 'do košíka,pridať do košíka,vložiť do košíka,kúpiť', 'košík,nákupný košík,môj košík'),
  of(
    'hu',
    'kosárba,kosárba teszem,kosárba rakom,kosárba helyezés,a kosárba',
    'kosár,kosaram,bevásárlókosár,kosár tartalma',
  ),
  of(
    'ro',
    'adaugă în coș,adauga in cos,adaugă în coşul de cumpărături,adaugă în coşul meu,cumpără,adaugă în coş',
    'coș,cos,coșul meu,cosul meu,coș de cumpărături,cos de cumparaturi,coşul meu,coş',
  ),
  of(
    'bg',
    'добави в количката,добави в кошницата,в количката',
    'количка,кошница,моята количка,моята кошница,вашата количка',
  ),
  of('hr', 'dodaj u košaricu,u košaricu,stavi u košaricu', 'košarica,moja košarica,vaša košarica'),
  of('sr', 'dodaj u korpu,u korpu,додај у корпу,у корпу,stavi u korpu', 'korpa,moja korpa,корпа,vaša korpa'),
  of('sl', 'v košarico,dodaj v košarico', 'košarica,nakupovalna košarica,vaša košarica'),
  of('mk', 'додади во кошничка,во кошничка', 'кошничка,моја кошничка'),
  of('el', 'προσθήκη στο καλάθι,στο καλάθι,αγορά,προσθήκη στο καλάθι αγορών', 'καλάθι,το καλάθι μου,καλάθι αγορών'),
  of(
    'ru',
    'в корзину,добавить в корзину,положить в корзину,заказать',
    'корзина,моя корзина,ваша корзина,корзина покупок',
  ),
  of('uk', 'в кошик,до кошика,додати в кошик,додати до кошика,купити,у кошик', 'кошик,мій кошик,ваш кошик'),
  of('tr', 'sepete ekle,sepete at,satın al', 'sepet,sepetim,alışveriş sepeti,sepetiniz'),
  of(
    'ar',
    'أضف إلى السلة,اضف للسلة,أضف للسلة,إضافة إلى السلة,اضافة للسلة,أضف الى السلة,إضافة للسلة,أضف إلى عربة التسوق',
    'السلة,سلة التسوق,سلة المشتريات,عربة التسوق',
  ),
  of('he', 'הוסף לסל,הוספה לסל,הוסף לעגלה,הוספה לעגלה,לסל,הוסיפו לסל', 'סל קניות,עגלת קניות,הסל שלי,העגלה שלי,עגלה'),
  of('fa', 'افزودن به سبد خرید,افزودن به سبد', 'سبد خرید,سبد خرید شما,سبد'),
  of('hi', 'कार्ट में जोड़ें,कार्ट में डालें,बैग में जोड़ें', 'कार्ट,मेरी कार्ट,आपकी कार्ट'),
  of(
    'ja',
    'カートに入れる,カートに追加,カートへ入れる,買い物かごに入れる,カゴに入れる,かごに入れる,カートへ,購入する,ご注文',
    'カート,買い物かご,ショッピングカート,カートを見る,買い物カゴ,カートの中身',
  ),
  of('ko', '장바구니 담기,장바구니에 담기,장바구니담기,구매하기,바로구매,장바구니에 추가', '장바구니,쇼핑백,카트'),
  of(
    'zh',
    '加入购物车,加入購物車,放入购物车,加到購物車,立即购买,立即購買,添加到购物车,放入購物車',
    '购物车,購物車,我的购物车,我的購物車,购物袋,購物袋',
  ),
  of('th', 'เพิ่มลงตะกร้า,ใส่ตะกร้า,หยิบใส่ตะกร้า,เพิ่มในตะกร้า,เพิ่มไปยังตะกร้า,สั่งซื้อ', 'ตะกร้า,ตะกร้าสินค้า,รถเข็น'),
  of(
    'vi',
    'thêm vào giỏ,thêm vào giỏ hàng,mua ngay,cho vào giỏ,đặt hàng,đặt mua,đặt mua ngay,đặt hàng ngay,mua hàng,chọn mua',
    'giỏ hàng,giỏ hàng của bạn,giỏ hàng của tôi',
  ),
  of(
    'id',
    'tambah ke keranjang,masukkan keranjang,masukkan ke keranjang,tambahkan ke keranjang,beli sekarang',
    'keranjang,keranjang belanja,keranjang saya',
  ),
  of('ms', 'tambah ke troli,tambah ke dalam troli,beli sekarang', 'troli,bakul,troli saya'),
  of('lt', 'į krepšelį,įdėti į krepšelį,pridėti į krepšelį,pirkti', 'krepšelis,pirkinių krepšelis,mano krepšelis'),
  of('lv', 'ielikt grozā,pievienot grozam,grozā,pirkt', 'grozs,iepirkumu grozs,mans grozs'),
  of('et', 'lisa ostukorvi,lisa korvi', 'ostukorv,korv,minu ostukorv'),
  of(
    'ca',
    'afegeix a la cistella,afegir a la cistella,afegeix al carret,afegir al carret',
    'cistella,carret,la meva cistella',
  ),
];
