/** Lists common passwords, and the words they are made of, which attackers try first. */

/** Read without digits, signs and capitals around them: `Password2026!` is the first one. */
const english = `
password passwort passw0rd passwd pass passcode passphrase passkey pwd mypassword yourpassword
ourpassword newpassword oldpassword nopassword thepassword apassword passwordpassword admin
administrator administer adminadmin root rootroot toor system sysadmin superuser superadmin
supervisor manager owner user username guest visitor operator office helpdesk support service
default changeme changethis changeit change letmein letmeinnow openup opensesame sesame welcome
welcomehome welcomeback hello hellohello helloworld hithere goodbye login logon signin access enter
entry secret secrets topsecret mysecret private confidential security secure master masterkey
password1 test tester testing testtest demo example sample temp temporary tmp trial backup database
server oracle mysql postgres postgresql mongodb redis linux ubuntu debian redhat centos windows
microsoft google facebook instagram twitter telegram whatsapp youtube yahoo gmail hotmail outlook
amazon apple iphone android samsung galaxy huawei xiaomi nokia motorola sony playstation nintendo
xbox gamer gaming computer laptop keyboard internet website network wireless wifi router modem
cisco mikrotik juniper tplink dlink asus dell lenovo toshiba intel nvidia netgear firewall gateway
simgate mobile telephone phone operator topup recharge charge credit money cash dollar euro bank
banking paypal bitcoin crypto ethereum wallet payment invoice account accounts finance sales
marketing company business enterprise corporate group team staff employee boss director president
iloveyou iloveyousomuch iloveyoubaby loveyou ilove ilovemyself ilovegod ilovejesus loveme lovelove
lover lovely love mylove truelove firstlove lovehurts loveyouforever forever forever21 always
together babygirl babyboy baby babe honey sweetheart sweetie sweet darling angel angels cutie
princess prince queen king kingkong queenbee sunshine sunflower flower flowers rose roses rainbow
butterfly dragonfly bluebird blackbird star stars superstar starlight moon moonlight moonshine sun
sunny sunset sunrise summer summertime winter spring autumn snow snowball snowman snowflake rain
raindrop storm thunder lightning fire firefly water ocean sea beach island mountain river forest
dragon dragons dragonball dragonballz phoenix unicorn monster vampire wizard merlin gandalf hobbit
frodo legolas aragorn monkey monkeys monkeyman gorilla tiger tigers tigger lion lions lionking
panther leopard cheetah bear bears teddybear panda pandabear wolf wolves werewolf fox eagle eagles
falcon falcons hawk raven owl dolphin dolphins shark whale turtle snake cobra viper python spider
scorpion horse horses pony mustang stallion dog dogs doggy doggie puppy puppies cat cats kitty
kitten hellokitty kittycat bunny rabbit mouse hamster chicken duck turkey cow pig piglet elephant
giraffe zebra bird birds fish fishing hunter hunting football footballer soccer baseball basketball
volleyball hockey tennis golf golfer cricket rugby wrestling boxing karate judo swimming swimmer
runner running racing racer skate skater skateboard snowboard surfing surfer biker cycling champion
champions winner winners liverpool arsenal chelsea manchester manchesterunited mancity manutd
everton tottenham barcelona barca realmadrid juventus acmilan intermilan bayern dortmund ajax
benfica porto celtic rangers lakers bulls celtics warriors yankees redsox cowboys steelers packers
patriots raiders broncos dolphins ronaldo cristiano messi neymar beckham zidane maradona pele
ronaldinho kobe jordan michaeljordan lebron iverson ferrari porsche mercedes benz bmw audi lamborghini
maserati bugatti toyota honda nissan mazda hyundai peugeot renault ford chevrolet chevy camaro
corvette harley harleydavidson yamaha kawasaki suzuki ducati superman batman spiderman ironman
wolverine deadpool captain captainamerica avengers hulk thor loki joker robin superhero transformers
starwars startrek darthvader skywalker jedi yoda chewbacca matrix neo trinity terminator rambo
rocky godzilla kingdom titanic avatar pokemon pikachu charizard naruto sasuke itachi goku vegeta
onepiece bleach deathnote sailormoon harrypotter hogwarts hermione gryffindor slytherin potter
mickey mickeymouse minnie donald donaldduck goofy pluto snoopy garfield scooby scoobydoo spongebob
simpsons homer bart tweety tinkerbell cinderella barbie minecraft fortnite roblox counterstrike
callofduty warcraft starcraft diablo leagueoflegends dota overwatch assassin assassinscreed halo
zelda mario supermario luigi sonic pacman tetris matrix metallica nirvana slipknot linkinpark
greenday blink182 eminem tupac snoopdogg rihanna beyonce madonna shakira beatles elvis queen acdc
ironmaiden pinkfloyd ledzeppelin rockstar rocknroll hiphop music musica guitar guitarist drummer
piano dancer dancing singer dance party dj techno metal rock jazz chocolate cookie cookies candy
sugar icecream cake cupcake banana bananas apple apples orange oranges cherry strawberry blueberry
peach lemon mango pineapple coconut watermelon pumpkin potato tomato carrot cheese cheeseburger
pizza burger hamburger pasta spaghetti noodles bacon butter peanut coffee espresso cappuccino tea
beer whiskey vodka tequila wine cocacola pepsi sprite redbull marlboro ginger pepper cinnamon
vanilla jellybean marshmallow pancake red green blue yellow black white purple pink silver gold
golden orange violet crimson scarlet blackjack blackcat whitecat bluesky greenday goldfish silverfox
power powerful strong stronger freedom peace hope faith trust believe dream dreams dreamer happy
happiness smile smiley laugh lucky luckyone lucky7 fortune destiny heaven paradise angelina miracle
magic magical mystery shadow shadows darkness dark night knight midnight nightmare ghost spirit
killer death devil satan demon hell evil zombie ninja samurai warrior soldier sniper gangster thug
pirate pirates cowboy hacker hackers hacked cyber matrix robot alien rocket spaceman space galaxy
universe earth planet mars jupiter saturn venus mercury neptune apollo zeus athena hercules achilles
spartan sparta trojan gladiator legend legends hero heroes genius einstein newton tesla edison
internet love family mother father mommy daddy mom dad mama papa brother sister son daughter grandma
grandpa uncle aunt husband wife friend friends bestfriend bestfriends boyfriend girlfriend lover
nobody somebody everybody anything something nothing everything whatever whatsup trustno one
trustnoone trustme fuckyou fuckoff fuck fucker fuckme motherfucker bitch asshole shit bullshit sexy
sexyback sexygirl hottie pussy dick cock boobs tits porn pornhub playboy naked nude blowjob jesus
jesuschrist christ christian jesuslovesme god godisgood godislove godbless blessed amen bible
church holy angel gabriel lord savior heavenly allah muhammad islam muslim quran mecca medina buddha
krishna shiva ganesh qwerty qwertyuiop qwert qwertz azerty asdf asdfg asdfgh asdfghjkl zxcv zxcvb
zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc qweasd qweasdzxc asdasd qweqwe zxczxc asdqwe qwerasdf
abc abcd abcde abcdef abcdefg abcabc aaa aaaa xxx xxxx zzz one two three four five six seven eight
nine ten onetwothree zero hundred thousand million number numberone unbelievable incredible amazing
awesome fantastic wonderful beautiful gorgeous pretty perfect cool coolguy coolgirl coolcat badboy
badgirl bigboy bigdaddy bigdog bigmac bigtits bighead littleone shorty blondie brownie baldy fatty
smokey buster buddy max bailey charlie cooper rocky sadie bella lucy molly daisy ginger lola zoey
chloe sophie duke bear tucker jack oliver leo milo simba nala shadow lucky coco ruby rosie pepper
america american usa canada mexico brazil argentina england london britain ireland scotland wales
france paris germany berlin spain madrid italy roma rome milan russia moscow china beijing japan
tokyo korea seoul india mumbai delhi australia sydney egypt cairo africa nigeria kenya turkey
istanbul dubai emirates texas dallas houston california florida miami chicago boston newyork
brooklyn manhattan hollywood losangeles sanfrancisco seattle denver atlanta philadelphia detroit
phoenix portland vegas lasvegas january february march april may june july august september october
november december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday
morning goodmorning goodnight evening weekend holiday holidays vacation birthday happybirthday
christmas merrychristmas halloween easter newyear happynewyear valentine college university school
highschool student students teacher doctor nurse lawyer engineer pilot captain sailor police fireman
firefighter army navy marine marines airforce military freedom liberty justice patriot politics
republic democracy correcthorsebatterystaple thisisapassword thisismypassword passwordispassword
iforgotmypassword idontknow idontcare ihateyou imissyou iwantyou ineedyou icanfly iamgod iamtheking
iamthebest iamlegend myspace mynameis mybaby mylife mydog mycat myfamily mykids lifeisgood
lifeisbeautiful livelaughlove liveloveslaugh carpediem hakunamatata supercalifragilistic
abracadabra mississippi antidisestablishmentarianism thequickbrownfox quickbrownfox loremipsum
openthedoor letsgo letsdoit justdoit nevergiveup neveragain nevermind dontforget dontworry
keepcalm bananarama chocolatecake cheesecake strawberries peanutbutter applepie butterflies
thunderbird thunderbolt greenapple blackberry raspberry playstation2 playstation3 nintendods
gameboy megaman masterchief superstar2 masterpassword adminpassword rootpassword userpassword
guestpassword testpassword defaultpassword temppassword welcomepassword secretpassword
companypassword officepassword wifipassword emailpassword bankpassword`;

/** Names of people. */
const names = `
james john robert michael william david richard joseph thomas charles christopher daniel matthew
anthony mark steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason
jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel
gregory frank alexander raymond patrick jackson tyler aaron nathan henry adam peter kyle walter
jeremy harold keith christian roger noah gerald terry sean austin carl arthur lawrence dylan jesse
jordan bryan billy joe bruce gabriel logan albert willie alan juan wayne elijah randy roy vincent
ralph eugene russell bobby mason philip louis mary patricia jennifer linda elizabeth barbara susan
jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle carol
amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley
anna brenda pamela emma nicole helen samantha katherine christine debra rachel carolyn janet maria
heather diane ruth julie olivia joyce virginia victoria kelly lauren christina joan evelyn judith
megan andrea cheryl hannah jacqueline martha gloria teresa ann sara madison frances kathryn janice
jean abigail alice julia judy sophia grace denise amber doris marilyn danielle beverly isabella
theresa diana natalie brittany charlotte marie kayla alexis lori alex sam tom tony mike steve bob
jim tim dan ben matt nick chris jenny jess katie kate annie carlos jose antonio miguel francisco
alejandro fernando diego pedro pablo carmen lucia elena sofia valentina camila fatima amina yusuf
omar ahmad ahmed abdullah abdul khalid hamza bilal tariq ivan sergey dmitry natasha olga svetlana
pierre jacques francois claude hans klaus jurgen wolfgang giovanni giuseppe marco luca francesca
chiara hiroshi kenji yuki sakura akira wei ming chen zhang wang singh kumar sharma patel raj priya
mohammad mohamad mohammed muhammad mohamed mamad ali alireza mohammadreza mohammadali amir amirali
amirhossein amirmohammad amirreza amirabbas hossein hosein hussein hasan hassan reza hamid hamidreza
saeed saeid said mehdi mahdi majid mojtaba mostafa morteza masoud masood mahmoud mansour mohsen
milad meysam meisam moein moin mobin matin mani maziar mazyar kamran kambiz kaveh kianoush kian
kourosh koorosh cyrus dariush darius daryoush siavash siamak sina soheil sohrab shahin shahram
shahriar shahrokh shayan peyman payam pejman parsa parham pouria pooria pouya pooya omid navid nima
nader naser farhad faramarz farzad farshad farshid fardin ferdows arash arman armin aria arya artin
ashkan aryan ehsan ebrahim esmail esmaeil iman iraj jafar javad jalal jamshid khosrow karim kazem
rahim rahman ramin rasoul rostam rouzbeh roozbeh sadegh sajad sajjad salar saman sasan sepehr taha
taher vahid yaser yasin yousef yusef zaniar behnam behrouz behrooz behzad babak bahram bahman
bijan borzoo danial daniyal davood davoud abbas abolfazl aboalfazl abolghasem ghasem ghassem
gholam gholamreza habib hadi fatemeh zahra zeinab zeynab maryam mariam narges nargess nasrin
nastaran nazanin negar negin niloofar niloufar nooshin parisa pariya parnian paria parvaneh parvin
pegah raha roya saba sahar samaneh samira sanaz sara sarah sepideh setareh shabnam shadi shaghayegh
sharareh shima shirin shiva shohreh simin soheila sogand soraya tahereh tannaz tara taraneh yalda
yasaman yasamin yasmin yeganeh zhaleh zohreh azadeh azam azita bahar bahareh bita donya elahe elaheh
elham elnaz fariba farideh farnaz farzaneh fereshteh forough golnaz golnoosh hanieh hediyeh hoda
homa jaleh kimia kiana ladan laleh leila leyla lida mahnaz mahsa mahshid mahtab mahvash malihe
marjan marzieh masoumeh masumeh mehri mehrnaz melika mina mitra mona monireh mozhgan mojgan nahid
nasim`;

/** Persian in Latin letters, for systems that take no Persian ones. */
const persianWords = `
salam saalam khoobi chetori khodahafez khoda khodaya khodajoon yakhoda yaali yaalimadad yahossein
yaabalfazl yamahdi yazahra yafatemeh yarab bismillah besmellah inshallah mashallah alhamdolillah
allahoakbar allahakbar astaghfirullah emamzaman emamreza emamali emamhossein aboalfazl karbala
najaf mashhad moharram ashura ramezan norooz nowrooz noruz yalda shabeyalda eydnorooz eyd eshgh
eshgham eshghman asheghetam ashegh asheghi asheghane azizam aziz azizjoon jigar jigaram jigartala
delam delbar delaram dooset dostet doset dostdaram doosetdaram doostetdaram dustetdaram dooset
dostetdaram nafas nafasam zendegi zendegim omram omid omidvaram arezoo arezu roya ramz ramzobor
ramzeobor ramzevorood gozarvazhe gozarvaje password kalameobor modir modiriat modirkol raees rais
karmand sherkat forosh foroush hesab hesabdari bank pool poul toman rial tala noghre gheymat
etebar sharj sharzh hamrah hamrahaval hamrahavval irancell rightel shatel mokhaberat mobile gooshi
goshi simcart simcard iran irani irann iraniran iranian iranzamin tehran tehrani teheran mashhadi
isfahan esfahan shiraz tabriz ahvaz ahwaz qom ghom karaj kermanshah kerman rasht yazd hamedan
hamadan arak ardabil urmia orumieh oroomie zahedan sanandaj khorramabad gorgan sari babol amol
bandarabbas bushehr booshehr qazvin ghazvin zanjan semnan ilam yasouj kashan neyshabur sabzevar
dezful abadan khorramshahr kish qeshm gilan mazandaran golestan khorasan sistan baluchestan
khuzestan lorestan kordestan azarbayjan azerbaijan fars persian parsi farsi pars persia perspolis
persepolis perspoliss esteghlal estghlal esteghlali perspolisi sepahan teraktor tractor sepidrood
malavan foolad alidaei alidaee alikarimi mahdavikia azadi azadegan enghelab ferdowsi ferdosi hafez
saadi sadi molana molavi rumi khayyam omarkhayyam nezami shahnameh rostam sohrab simorgh kaveh
takhtejamshid damavand alborz zagros zayandeh karoon caspian khazar khalijfars khalijefars
persiangulf parandeh golha golsorkh gol gole golam sonbol laleh yas yasekabood mahi mah mahtab
khorshid setareh asemoon aseman darya daryaye baran barani barf bahar bahari tabestan paeez paiz
zemestan farvardin ordibehesht khordad tir mordad shahrivar mehr aban azar dey bahman esfand
shanbe yekshanbe doshanbe seshanbe chaharshanbe panjshanbe jome jomeh yek doo seh chahar panj shish
haft hasht noh dah sad hezar madar madaram maman mamani mamanjoon pedar pedaram baba babam babajoon
babaei dadash dadashi abji khahar khaharam baradar baradaram pesar pesaram dokhtar dokhtaram
khanevade khanevadeh doost doostan doosti rafigh rafighe rafigham refigh hamsar hamsaram zan
shohar bache bacheha kochooloo koochooloo arus aroos damad mohandes doctor daneshgah daneshjoo
madrese madreseh moalem ostad sarbaz artesh sepah basij police pride peykan samand pezhoparspars
pejo pejoo peugeotpars dena tiba saipa iranikhodro irankhodro sandero pizza kabab chelokabab
ghormesabzi ghorme chai chayi nabat zaferan pesteh anar hendoone golab shirini khaste khastam
tanha tanham tanhaei tanhayi tanhatarin bikas delshekaste delshekasteh bimarefat namard nalooti
marg margbar doroogh raftam nemidonam nemidoonam manam mano bikhial bikhiyal hichi hichkas
hamechi faramosh faramoosh faramoushi khosh khoshgel khoshgele khoshhal khoshbakht khoshkhial nazanin
naz nazi nazaram gorbe sag shir babr palang gorg ghazal aahoo ahoo asb asbe boz khargoosh kabootar
oghab shahin tooti morgh khoroos ghanari parvane parvaneh`;

/** Persian in its own letters. */
const persian = `
سلام خدا خدایا علی محمد حسین حسن رضا زهرا فاطمه مریم عشق عشقم عزیزم دوستت دارم دوستتدارم ایران
تهران مشهد اصفهان شیراز تبریز پرسپولیس استقلال رمز رمزعبور گذرواژه گذرواژ مدیر کاربر مادر پدر
مامان بابا دوست رفیق زندگی نفس نفسم امید بهار گل ستاره ماه خورشید دریا باران پول بانک شارژ همراه
ایرانسل همراهاول رایتل آزادی انقلاب فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن
اسفند شنبه جمعه یک دو سه چهار پنج`;

export const commonPasswords: readonly string[] = [english, names, persianWords, persian].flatMap(
  (words) => words.trim().split(/\s+/),
);
