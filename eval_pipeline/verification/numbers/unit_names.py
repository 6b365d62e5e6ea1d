"""What units are called in the languages that answers come in: the name, and the sign it means."""

_NAMES = """
km: kilómetro kilómetros kilometro kilometros kilomètre kilomètres quilômetro quilômetros
 quilómetro quilómetros chilometro chilometri километр километра километров км kilometr
 kilometry kilometrů kilometrów kilometri kilometriä kilometre χιλιόμετρα χιλιόμετρο 公里 千米
 キロメートル 킬로미터 กิโลเมตร किलोमीटर קילומטר كيلومتر ki-lô-mét
m: mètre mètres metro metros metri метр метра метров м metr metry metrů metrów metriä metreä
 metrer μέτρα μέτρο 米 メートル 미터 เมตร मीटर מטר מטרים متر mét
cm: centímetro centímetros centimètre centimètres centimetro centimetri zentimeter сантиметр
 сантиметра сантиметров см centymetr centymetry centymetrów senttimetriä santimetre 厘米 公分
 センチメートル 센티미터 เซนติเมตร सेंटीमीटर
mm: milímetro milímetros millimètre millimètres millimetro millimetri миллиметр миллиметра
 миллиметров мм milimetr milimetry milimetrów milimetre 毫米 ミリメートル 밀리미터 มิลลิเมตร
mile: meile meilen milla millas milha milhas miglio miglia миля мили миль mijl mijlen 英里 マイル
 마일 ไมล์
kg: kilo kilos kilogramo kilogramos kilogramme kilogrammes quilograma quilogramas quilo
 quilos chilogrammo chilogrammi chilo килограмм килограмма килограммов кг kilogramm
 kilogramów kilogramy kilogramů kilogrammaa χιλιόγραμμα κιλά κιλό 公斤 千克 キログラム 킬로그램
 กิโลกรัม
 किलोग्राम קילוגרם كيلوغرام كيلو
g: gramm gramo gramos grammes grama gramas grammo grammi грамм грамма граммов г gramy gramů
 gramów grammaa γραμμάρια 克 グラム 그램 กรัม ग्राम גרם غرام جرام
mg: miligramo miligramos миллиграмм миллиграмма миллиграммов мг milligramm 毫克 ミリグラム 밀리그램
tonne: tonelada toneladas tonnes tonnellata tonnellate тонна тонны тонн 吨 噸 トン 톤
L: litro litros litri литр литра литров л litr litry litrů litrów litraa liter λίτρα 升 リットル
 리터 ลิตร लीटर ליטר لتر lít
mL: mililitro mililitros миллилитр миллилитра миллилитров мл 毫升 ミリリットル 밀리리터
s: sekunde sekunden segundo segundos secondes secondo secondi секунда секунды секунд sekunda
 sekundy sekund sekuntia saniye giây detik δευτερόλεπτα 秒 秒钟 초 วินาที
min: minuten minuto minutos minuti минута минуты минут мин minuta minuty minuut minuuttia
 dakika phút menit λεπτά 分钟 分鐘 分間 분 นาที मिनट דקות دقيقة دقائق
h: stunde stunden std hora horas heure heures ora час часа часов hodina hodiny hodin godzina
 godziny godzin uur tuntia timmar saat giờ ώρες ώρα 小时 小時 時間 시간 ชั่วโมง घंटे שעות ساعة ساعات
day: tag tage tagen día días jour jours dia dias giorno giorni день дня дней dny dní dzień
 dni dagen dagar päivää gün ngày hari ημέρες μέρες 天 วัน दिन ימים أيام
week: woche wochen semana semanas semaine semaines settimana settimane неделя недели недель
 týden týdny týdnů tydzień tygodnie tygodni weken veckor viikkoa hafta tuần minggu 周 星期 週間
 สัปดาห์
month: monat monate monaten mes meses mois mês mesi mese месяц месяца месяцев měsíc měsíce
 měsíců miesiąc miesiące miesięcy maanden månader kuukautta tháng bulan 个月 個月 か月 ヶ月 개월
 เดือน
year: jahr jahre jahren año años ans année années ano anos anno anni год года лет rok roky
 lata jaar år vuotta yıl năm tahun χρόνια έτη 年 년 ปี साल שנים سنوات سنة
°C: 摄氏度 攝氏度 度C
°: grad grados degrés degré graus gradi градус градуса градусов stupňů stopni 度 도 องศา
$: доллар доллара долларов dólar dólares dollari dolarów dolarů dolar 美元 ドル 달러 ดอลลาร์ डॉलर
 דולר دولار
¢: centavo centavos центов
€: euros eur евро ευρώ 欧元 歐元 ユーロ 유로 ยูโร यूरो יורו يورو
¥: yuan 元 人民币 円 日元 엔
₩: 원
₹: рупий rupias roupies रुपये रुपए рупия
₽: рубль рубля рублей rubel rubli rubles ruble
฿: baht บาท
"""
ALIASES = {
    name: sign
    for line in _NAMES.replace("\n ", " ").strip().splitlines()
    for sign, names in [line.split(": ", 1)]
    for name in names.split()
}
