/* The Turkish rows: one per sentence marked with _("...") or N_("..."), sorted
 * bytewise by the English one (lang.c searches by halves; tests/lint/lang.py
 * proves order, completeness and that the conversions agree). */
#ifndef HAKEM_BASE_LANG_TR_H
#define HAKEM_BASE_LANG_TR_H

struct lang_row {
    const char *english;
    const char *turkish;
};

static const struct lang_row lang_rows[] = {
    {"%s is a folder, not a file", "%s bir dosya değil, klasör"},
    {"%s is in the way: it is not a folder", "%s engel oluyor: klasör değil"},
    {"%s is larger than %zu bytes", "%s, %zu bayttan büyük"},
    {"--%s needs a value", "--%s bir değer ister"},
    {"--%s takes a time from %ldms to %ldms, not \"%s\"",
     "--%s, %ldms ile %ldms arasında bir süre alır; \"%s\" olmaz"},
    {"--%s takes a time such as 250ms, 5s or 2m, not \"%s\"",
     "--%s, 250ms, 5s ya da 2m gibi bir süre alır; \"%s\" olmaz"},
    {"--%s takes a whole number from %ld to %ld, not \"%s\"",
     "--%s, %ld ile %ld arasında bir tam sayı alır; \"%s\" olmaz"},
    {"--%s takes no value", "--%s değer almaz"},
    {"\\u needs four hex digits", "\\u dört onaltılık basamak ister"},
    {"\\u0000 is not allowed", "\\u0000 kabul edilmez"},
    {"a byte order mark: save the text without one",
     "bayt sırası işareti (BOM) var: metni onsuz kaydedin"},
    {"a byte that is not UTF-8", "UTF-8 olmayan bir bayt"},
    {"a colon should stand behind the key", "anahtardan sonra iki nokta olmalı"},
    {"a comma or ] should stand here", "burada virgül ya da ] olmalı"},
    {"a comma or } should stand here", "burada virgül ya da } olmalı"},
    {"a control byte", "bir denetim baytı"},
    {"a key in double quotes should stand here", "burada çift tırnaklı bir anahtar olmalı"},
    {"a key that stands twice in this object", "bu nesnede iki kez geçen anahtar"},
    {"a line end or tab within a string: write \\n or \\t",
     "dizgenin içinde satır sonu ya da sekme: \\n ya da \\t yazın"},
    {"a number of more than 63 characters", "63 karakterden uzun bir sayı"},
    {"a number that JSON does not have", "JSON'da olmayan bir sayı yazımı"},
    {"a number that is too large", "çok büyük bir sayı"},
    {"a number with a leading zero", "sıfırla başlayan bir sayı"},
    {"an array with too many items", "dizide çok fazla öğe var"},
    {"an escape that JSON does not have", "JSON'da olmayan bir ters bölü kaçışı"},
    {"an object with too many keys", "nesnede çok fazla anahtar var"},
    {"brackets nested too deep", "ayraçlar çok derin iç içe"},
    {"cannot make the folder %s: %s", "%s klasörü açılamıyor: %s"},
    {"cannot read %s: %s", "%s okunamıyor: %s"},
    {"cannot write %s: %s", "%s yazılamıyor: %s"},
    {"cannot write to standard output", "standart çıktıya yazılamıyor"},
    {"hakem COMMAND --help shows a command's options and an example.",
     "hakem KOMUT --help, komutun seçeneklerini ve bir örneği gösterir."},
    {"hakem: a referee for backgammon bots", "hakem: tavla botlarının hakemi"},
    {"half of a surrogate pair", "eşi olmayan bir \\u yarısı"},
    {"line %d, column %d: %s", "satır %d, sütun %d: %s"},
    {"line %lu of the record: %s", "kaydın %lu. satırı: %s"},
    {"more than %d arguments", "%d taneden fazla argüman"},
    {"no value of JSON begins like this", "hiçbir JSON değeri böyle başlamaz"},
    {"something stands behind the end of the value", "değerin sonundan sonra bir şey var"},
    {"standard input", "standart girdi"},
    {"the record is empty", "kayıt boş"},
    {"the text ends where a value should stand", "metin, değer beklenen yerde bitiyor"},
    {"the text ends within a string", "metin, bir dizgenin içinde bitiyor"},
    {"unknown command %s: did you mean %s?", "bilinmeyen komut %s: %s mi demek istediniz?"},
    {"unknown command %s: hakem --help lists the commands",
     "bilinmeyen komut %s: komutları hakem --help sıralar"},
    {"unknown option %s%s: --help lists the options",
     "bilinmeyen seçenek %s%s: seçenekleri --help sıralar"},
    {"unknown option %s%s: did you mean --%s?",
     "bilinmeyen seçenek %s%s: --%s mi demek istediniz?"},
    {"unknown variant %s: hakem knows %s, %s and %s",
     "bilinmeyen oyun %s: hakem şunları bilir: %s, %s ve %s"},
    {"usage: hakem %s %s", "kullanım: hakem %s %s"},
    {"usage: hakem COMMAND [arguments]", "kullanım: hakem KOMUT [argümanlar]"},
    {"which command? hakem --help lists them", "hangi komut? hakem --help sıralar"},
};

#endif
