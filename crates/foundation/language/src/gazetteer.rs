//! Short lists of facts for names: countries and their adjectives, places, given names, organisation words, and capitalised
//! words that name nothing in particular.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Country, adjective and other forms, parted by commas; countries by semicolons.
const COUNTRIES: &str = "Afghanistan,Afghan;Albania,Albanian;Algeria,Algerian;Andorra,Andorran;Angola,Angolan;Argentina,Argentine,Argentinian;\
Armenia,Armenian;Australia,Australian;Austria,Austrian;Azerbaijan,Azerbaijani;Bahamas,Bahamian;Bahrain,Bahraini;Bangladesh,Bangladeshi;\
Barbados,Barbadian;Belarus,Belarusian;Belgium,Belgian;Belize,Belizean;Benin,Beninese;Bhutan,Bhutanese;Bolivia,Bolivian;Bosnia,Bosnian,Bosnia and Herzegovina;\
Botswana,Botswanan;Brazil,Brazilian;Brunei,Bruneian;Bulgaria,Bulgarian;Burkina Faso,Burkinabe;Burundi,Burundian;Cambodia,Cambodian;Cameroon,Cameroonian;\
Canada,Canadian;Chad,Chadian;Chile,Chilean;China,Chinese;Colombia,Colombian;Congo,Congolese;Costa Rica,Costa Rican;Croatia,Croatian;Cuba,Cuban;\
Cyprus,Cypriot;Czechia,Czech,Czech Republic;Denmark,Danish,Dane,Danes;Djibouti,Djiboutian;Dominican Republic,Dominican;Ecuador,Ecuadorian;Egypt,Egyptian;\
El Salvador,Salvadoran;Eritrea,Eritrean;Estonia,Estonian;Eswatini,Swazi;Ethiopia,Ethiopian;Fiji,Fijian;Finland,Finnish,Finn,Finns;France,French;Gabon,Gabonese;Gambia,Gambian;\
Georgia,Georgian;Germany,German,Germans;Ghana,Ghanaian;Greece,Greek,Greeks;Grenada,Grenadian;Guatemala,Guatemalan;Guinea,Guinean;Guyana,Guyanese;Haiti,Haitian;\
Honduras,Honduran;Hungary,Hungarian;Iceland,Icelandic;India,Indian;Indonesia,Indonesian;Iran,Iranian;Iraq,Iraqi;Ireland,Irish;Israel,Israeli;Italy,Italian;\
Ivory Coast,Ivorian;Jamaica,Jamaican;Japan,Japanese;Jordan,Jordanian;Kazakhstan,Kazakh;Kenya,Kenyan;Kosovo,Kosovan;Kuwait,Kuwaiti;Kyrgyzstan,Kyrgyz;Laos,Laotian;\
Latvia,Latvian;Lebanon,Lebanese;Lesotho,Basotho;Liberia,Liberian;Libya,Libyan;Liechtenstein,Liechtensteiner;Lithuania,Lithuanian;Luxembourg,Luxembourgish;Madagascar,Malagasy;Malawi,Malawian;\
Malaysia,Malaysian;Maldives,Maldivian;Mali,Malian;Malta,Maltese;Mauritania,Mauritanian;Mauritius,Mauritian;Mexico,Mexican;Moldova,Moldovan;Monaco,Monegasque;\
Mongolia,Mongolian;Montenegro,Montenegrin;Morocco,Moroccan;Mozambique,Mozambican;Myanmar,Burmese,Burma;Namibia,Namibian;Nepal,Nepali,Nepalese;Netherlands,Dutch,Holland;\
New Zealand,New Zealander,Kiwi;Nicaragua,Nicaraguan;Niger,Nigerien;Nigeria,Nigerian;North Korea,North Korean;North Macedonia,Macedonian;Norway,Norwegian;Oman,Omani;\
Pakistan,Pakistani;Palestine,Palestinian;Panama,Panamanian;Paraguay,Paraguayan;Peru,Peruvian;Philippines,Philippine,Filipino;Poland,Polish,Poles;Portugal,Portuguese;Qatar,Qatari;\
Romania,Romanian;Russia,Russian,Russian Federation;Rwanda,Rwandan;Samoa,Samoan;San Marino,Sammarinese;Saudi Arabia,Saudi,Saudi Arabian;Senegal,Senegalese;Serbia,Serbian;\
Seychelles,Seychellois;Sierra Leone,Sierra Leonean;Singapore,Singaporean;Slovakia,Slovak;Slovenia,Slovenian;Somalia,Somali;South Africa,South African;South Korea,South Korean,Korea,Korean;\
South Sudan,South Sudanese;Spain,Spanish,Spaniard;Sri Lanka,Sri Lankan;Sudan,Sudanese;Suriname,Surinamese;Sweden,Swedish,Swede,Swedes;Switzerland,Swiss;Syria,Syrian;Taiwan,Taiwanese;\
Tajikistan,Tajik;Tanzania,Tanzanian;Thailand,Thai;Togo,Togolese;Tonga,Tongan;Trinidad,Trinidadian,Trinidad and Tobago;Tunisia,Tunisian;Turkey,Turkish,Türkiye;Turkmenistan,Turkmen;Uganda,Ugandan;\
Ukraine,Ukrainian;United Arab Emirates,Emirati,UAE;United Kingdom,British,UK,U.K.,Britain,Great Britain;United States,American,USA,US,U.S.,U.S.A.,United States of America,America;\
Uruguay,Uruguayan;Uzbekistan,Uzbek;Vatican City,Vatican;Venezuela,Venezuelan;Vietnam,Vietnamese;Yemen,Yemeni;Zambia,Zambian;Zimbabwe,Zimbabwean;England,English;Scotland,Scottish;Wales,Welsh;Greenland,Greenlandic";

/// Cities, states, regions and continents with their adjectives.
const PLACES: &str = "Tokyo,Delhi,New Delhi,Shanghai,São Paulo,Sao Paulo,Mexico City,Cairo,Mumbai,Beijing,Dhaka,Osaka,New York,New York City,NYC,Karachi,Buenos Aires,Chongqing,Istanbul,Kolkata,Manila,Lagos,\
Rio de Janeiro,Tianjin,Kinshasa,Guangzhou,Los Angeles,Moscow,Shenzhen,Lahore,Bangalore,Bengaluru,Paris,Bogotá,Bogota,Jakarta,Chennai,Lima,Bangkok,Seoul,Nagoya,Hyderabad,London,Tehran,Chicago,Chengdu,\
Nanjing,Wuhan,Ho Chi Minh City,Luanda,Ahmedabad,Kuala Lumpur,Xi'an,Hong Kong,Dongguan,Hangzhou,Foshan,Shenyang,Riyadh,Baghdad,Santiago,Surat,Madrid,Suzhou,Pune,Harbin,Houston,Dallas,Toronto,\
Dar es Salaam,Miami,Belo Horizonte,Atlanta,Philadelphia,Fukuoka,Barcelona,Johannesburg,Saint Petersburg,St. Petersburg,Qingdao,Dalian,Washington,Washington D.C.,Washington DC,Yangon,Alexandria,Jinan,Guadalajara,\
Boston,Phoenix,Seattle,San Francisco,San Diego,San Jose,Denver,Detroit,Minneapolis,Tampa,Orlando,Portland,Austin,Las Vegas,Baltimore,St. Louis,Charlotte,San Antonio,Sacramento,Pittsburgh,Cincinnati,\
Cleveland,Kansas City,Columbus,Indianapolis,Nashville,Milwaukee,Salt Lake City,New Orleans,Honolulu,Anchorage,Boulder,Palo Alto,Silicon Valley,Hollywood,Berkeley,Cambridge,Oxford,Manchester,Birmingham,Leeds,Glasgow,\
Edinburgh,Liverpool,Bristol,Sheffield,Cardiff,Belfast,Dublin,Cork,Galway,Berlin,Hamburg,Munich,München,Cologne,Köln,Frankfurt,Stuttgart,Düsseldorf,Dortmund,Essen,Leipzig,Bremen,Dresden,Hanover,Nuremberg,Bonn,Heidelberg,\
Vienna,Salzburg,Graz,Zurich,Zürich,Geneva,Basel,Bern,Lausanne,Amsterdam,Rotterdam,The Hague,Utrecht,Eindhoven,Delft,Brussels,Antwerp,Ghent,Leuven,Lyon,Marseille,Toulouse,Nice,Nantes,Strasbourg,Bordeaux,Lille,Grenoble,\
Milan,Rome,Naples,Turin,Florence,Venice,Bologna,Genoa,Palermo,Lisbon,Porto,Valencia,Seville,Bilbao,Malaga,Zaragoza,Copenhagen,København,Aarhus,Odense,Aalborg,Esbjerg,Roskilde,Kolding,Horsens,Vejle,Randers,Viborg,Silkeborg,Billund,Stockholm,Gothenburg,\
Malmö,Malmo,Uppsala,Lund,Oslo,Bergen,Trondheim,Stavanger,Helsinki,Espoo,Tampere,Turku,Reykjavik,Tallinn,Riga,Vilnius,Warsaw,Krakow,Kraków,Gdansk,Wroclaw,Poznan,Prague,Brno,Bratislava,Budapest,Ljubljana,Zagreb,Split,Belgrade,Sarajevo,Sofia,\
Bucharest,Athens,Thessaloniki,Kyiv,Kiev,Odessa,Lviv,Minsk,Tbilisi,Yerevan,Baku,Ankara,Izmir,Antalya,Tel Aviv,Jerusalem,Haifa,Beirut,Amman,Damascus,Dubai,Abu Dhabi,Doha,Kuwait City,Muscat,Jeddah,Mecca,Casablanca,Rabat,Tunis,Algiers,Tripoli,\
Accra,Abidjan,Dakar,Nairobi,Mombasa,Kampala,Kigali,Addis Ababa,Khartoum,Cape Town,Durban,Pretoria,Harare,Lusaka,Maputo,Windhoek,Antananarivo,Montreal,Vancouver,Calgary,Ottawa,Edmonton,Winnipeg,Quebec City,Halifax,Monterrey,Tijuana,Cancún,Cancun,\
Havana,Santo Domingo,Panama City,Medellín,Medellin,Quito,Guayaquil,Caracas,La Paz,Asunción,Montevideo,Brasília,Brasilia,Salvador,Recife,Curitiba,Porto Alegre,Sydney,Melbourne,Brisbane,Perth,Adelaide,Canberra,Auckland,Wellington,Christchurch,\
Busan,Incheon,Taipei,Kaohsiung,Macau,Macao,Hanoi,Da Nang,Phnom Penh,Vientiane,Colombo,Kathmandu,Islamabad,Tashkent,Almaty,Astana,Ulaanbaatar,Kyoto,Yokohama,Kobe,Sapporo,Sendai,Kowloon,Mong Kok,Tsim Sha Tsui,Sundance,Cannes,\
Alabama,Alaska,Arizona,Arkansas,California,Colorado,Connecticut,Delaware,Florida,Hawaii,Idaho,Illinois,Indiana,Iowa,Kansas,Kentucky,Louisiana,Maine,Maryland,Massachusetts,Michigan,Minnesota,Mississippi,Missouri,Montana,Nebraska,Nevada,\
New Hampshire,New Jersey,New Mexico,North Carolina,North Dakota,Ohio,Oklahoma,Oregon,Pennsylvania,Rhode Island,South Carolina,South Dakota,Tennessee,Texas,Utah,Vermont,Virginia,West Virginia,Wisconsin,Wyoming,Puerto Rico,Guam,\
Ontario,Quebec,British Columbia,Alberta,Manitoba,Saskatchewan,Nova Scotia,Bavaria,Bavarian,Saxony,Hesse,Brandenburg,North Rhine-Westphalia,Lower Saxony,Baden-Württemberg,Tuscany,Lombardy,Sicily,Sardinia,Catalonia,Andalusia,Basque Country,Normandy,Brittany,Provence,\
Jutland,Zealand,Funen,Bornholm,Scania,Lapland,Faroe Islands,Crimea,Siberia,Kurdistan,Kashmir,Tibet,Xinjiang,Guangdong,Sichuan,Punjab,Kerala,Gujarat,Maharashtra,Tamil Nadu,Karnataka,Java,Bali,Sumatra,Borneo,\
Europe,European,Europeans,Asia,Asian,Africa,African,Africans,North America,North American,South America,South American,Central America,Latin America,Latin American,Antarctica,Antarctic,Arctic,Oceania,Australasia,Eurasia,Eurasian,\
Middle East,Middle Eastern,Far East,Southeast Asia,South Asia,East Asia,Central Asia,Western Europe,Eastern Europe,Central Europe,Northern Europe,Southern Europe,Scandinavia,Scandinavian,Nordic,Nordics,Nordic Region,Baltic,Baltics,Balkans,Balkan,Benelux,Iberia,Caucasus,Maghreb,Sahara,\
Sub-Saharan Africa,West Africa,East Africa,Southern Africa,North Africa,Caribbean,Polynesia,Mediterranean,Atlantic,Pacific,Alps,Alpine,Himalayas,Andes,Rockies,Amazon Basin,Great Lakes,Great Plains,Midwest,Midwestern,New England,Bay Area,East Coast,West Coast,\
Manhattan,Brooklyn,Queens,Bronx,EU,APAC,EMEA,LATAM,ASEAN,Gulf of Mexico,North Sea,Baltic Sea,Black Sea,Red Sea,Persian Gulf,Suez Canal,Panama Canal,Rhine,Danube,Nile,Thames,Elbe,Moon,Mars";

/// Common given names of many languages.
const GIVEN_NAMES: &str = "Aaron Abdul Abigail Ada Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alex Alexander Alexandra Alfred Ali Alice Alicia Amanda Amelia Amina Amir Amy Ana Anders Andrea \
Andreas Andrew Angela Anita Anja Ann Anna Anne Anthony Anton Antonio Arjun Arthur Astrid Aya Barbara Ben Benjamin Bernard Birgit Bjørn Bo Boris Brandon Brian Camilla Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia Charles \
Charlotte Chen Chloe Chris Christian Christina Christine Christopher Claire Clara Claudia Daniel Daniela David Deborah Dennis Diana Diego Dimitri Dmitri Dominic Donald Dorothy Dorte Edward Elena Elisabeth Elizabeth Ella Ellen Elsa Emil \
Emily Emma Eric Erik Ethan Eva Eve Evelyn Fatima Felix Fernando Fiona Florian Francesca Francesco Frank Franz Fred Frederick Frederik Freja Gabriel Gary George Georg Gerald Gerda Giovanni Giulia Gloria Grace Greg Gregory Greta Guillaume Gustav \
Hanna Hannah Hans Harald Harold Harry Hassan Heather Heinrich Helen Helena Helle Henrik Henry Hiroshi Howard Hugo Ian Ibrahim Ida Igor Ingrid Irene Isaac Isabel Isabella Ivan Jack Jacob Jacqueline Jacques Jake James Jamie Jan Jane Janet Jason \
Javier Jean Jeff Jeffrey Jennifer Jens Jeremy Jerry Jesper Jessica Jesus Jill Jim Joan Joanna Joe Johan Johannes John Johnny Jonas Jonathan Jorge José Jose Josef Joseph Joshua Juan Judith Julia Julian Julie Jürgen Justin Kai Karen Karim Karin Karl \
Katarina Kate Katherine Kathleen Katrine Keiko Keith Kelly Ken Kenji Kenneth Kevin Kim Kirsten Klaus Kristian Kristina Kurt Lars Laura Lauren Laurent Lea Lee Leila Lena Leo Leon Leonard Li Linda Lin Lisa Liu Liz Lorenzo Louis Louise Luca Lucas Lucia Lucy \
Luis Luke Mads Magdalena Magnus Maja Malik Marc Marcel Marco Marcus Margaret Maria Marie Marina Mario Mark Markus Marta Martha Martin Mary Mateo Mathias Matt Matthew Matthias Max Maya Mei Melissa Mette Michael Michel Michelle Miguel Mike Mikkel Mohamed Mohammed \
Mona Monica Morten Muhammad Nadia Nancy Naomi Natalia Natalie Nathan Neil Nicholas Nick Nicolas Nicole Niels Nikolai Nina Noah Noor Nora Olaf Ole Oliver Olivia Olga Omar Oscar Otto Pablo Pamela Patricia Patrick Paul Paula Pedro Per Peter Petra Philip Philippe Pia \
Pierre Priya Rachel Rafael Raj Rajesh Ralph Rania Raphael Rasmus Ravi Raymond Rebecca Ricardo Richard Rita Robert Roberto Robin Roger Roland Ronald Rosa Rosie Ruth Ryan Sabine Sally Samantha Samir Samuel Sandra Sanjay Sara Sarah Scott Sean Sebastian Sergei Sergey \
Sergio Sharon Shirley Silvia Simon Sofia Sofie Sophia Sophie Søren Stefan Stella Stephanie Stephen Steve Steven Sunita Susan Susanne Suresh Svetlana Sven Takashi Tamara Tanja Tara Teresa Thomas Thierry Tim Timothy Tina Tobias Todd Tom Tomas Tony Torben Ulrich Ulrik Ursula \
Valentina Vanessa Vera Veronica Victor Victoria Vijay Viktor Vincent Vikram Virginia Vivian Vladimir Walter Wang Wei Wendy William Wolfgang Xavier Yan Yasmin Yuki Yusuf Yves Zachary Zhang Zoe Anya Aisling Kenzo Isla Marisol Elias Anika Tomasz Piotr Agnieszka Kwame Chidi Ngozi Amara Jamal Latisha DeShawn Evelyn";

/// Words that make a capitalised phrase an organisation, in any place.
const ORGANISATION_WORDS: &str = "Inc GmbH ApS A/S Ltd LLC PLC AG SA SE NV BV AB AS Oy Oyj KG KGaA SpA SARL Corp Corporation Company Co University Université Universität Universitet College Institute Institut Instituttet Ministry Ministeriet Authority Agency Council \
Commission Foundation Fonden Fond Department Bank Bureau Association Society Federation Union Academy Hospital Clinic School Museum Laboratory Laboratories Consortium Partnership Trust Chamber Parliament Senate Congress Court Tribunal Guild League \
Studios Studio Entertainment Pictures Productions Games Industries Holdings Group Partners Ventures Capital Technologies Systems Airlines Railways Press Publishing Church Party Police Army Navy Gesellschaft Verband Verein Stiftung Forschungsgemeinschaft Nations Office Administration Service Services Board Committee Forum Alliance Network Organisation Organization Centre Center Fund Command Directorate Secretariat Inspectorate";

/// Those of [`ORGANISATION_WORDS`] that a generic body has as well: "Steering Committee", "Legal Department".
const WEAK_ORGANISATION_WORDS: &str = "Office Administration Service Services Board Committee Forum Alliance Network Organisation Organization Centre Center Fund Group Partners Systems Capital Department Council Company Partnership Party Police Army Navy Union Trust Agency Authority Association Court School Hospital Clinic Laboratory Studio Studios Games Technologies Laboratories Bank Press Co SE AS SA AB AG Consortium Commission Foundation";

/// Capitalised words that name roles, documents, phases, methods, times: a phrase of nothing else is generic.
const GENERIC_WORDS: &str = "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter \
manager managers director directors officer officers lead leads leader leaders head chief chair chairperson chairman executive executives engineer engineers architect architects analyst analysts specialist specialists coordinator coordinators consultant consultants advisor advisors adviser advisory expert experts \
administrator administrators supervisor supervisors technician technicians developer developers designer designers scientist scientists researcher researchers planner planners accountant accountants lawyer lawyers counsel attorney attorneys auditor auditors inspector inspectors operator operators \
representative representatives member members secretary treasurer president vice ceo cfo cto coo cio ciso cmo dpo pmo kpi kpis roi swot raci wbs gantt smart okr okrs sow rfp rfps rfq rfi nda ndas mou mous sla slas faq id ids qa qc hr it pr ip ui ux api apis sdk pdf csv json xml html url urls usb cpu gpu ram lan wan vpn sql tba tbd tbc eta eod eoy ytd n/a na ok asap vs \
capex opex ebitda npv irr b2b b2c eu hq r&d pi \
project projects program programme programs plan plans planning phase phases stage stages step steps task tasks milestone milestones timeline schedule budget budgets cost costs funding finance financial financing risk risks register matrix log report reports reporting document documents documentation \
strategy strategic strategies policy policies procedure procedures process processes protocol protocols framework frameworks model models analysis assessment assessments evaluation review reviews audit audits study survey surveys summary overview introduction conclusion appendix annex section chapter \
table figure question questions answer answers recommendation recommendations decision decisions lever levers option options choice choices scenario scenarios issue issues assumption assumptions constraint constraints requirement requirements objective objectives goal goals scope deliverable deliverables \
stakeholder stakeholders team teams committee board council group groups office department departments unit units division steering working management technical technology legal regulatory compliance ethics ethical security safety environmental environment sustainability social community communication communications marketing sales \
operations operational operating production product products procurement supply chain quality assurance control human resources resource training data privacy protection information digital cyber cybersecurity software hardware systems system network infrastructure engineering construction design development research innovation \
implementation integration testing test validation verification deployment maintenance support service services customer customers user users client clients public relations media outreach engagement partnership partnerships vendor vendors supplier suppliers contractor contractors contract contracts agreement agreements \
investor investors grant grants proposal proposals application applications permit permits license licenses licensing approval approvals certification standard standards guideline guidelines regulation regulations law laws act article terms conditions \
high medium low critical major minor severe immediate short long term near early late initial final first second third fourth one two three four five six seven eight nine ten week weeks month months quarter year years day days q1 q2 q3 q4 h1 h2 date time \
impact impacts likelihood severity probability action actions mitigation contingency trigger triggers threshold metric metrics indicator indicators performance success failure failures outcome outcomes benefit benefits value mission vision purpose executive key primary secondary main core general overall total new \
internal external local global international national regional federal state government governance official independent senior junior assistant associate deputy acting interim head staff personnel employee employees workforce worker workers crew volunteer volunteers \
architecture art artistic creative content narrative script game gameplay player players level director's producer producers writer writers editor editors post-production pre-production filming film cinematographer casting location scout sound music composer \
medical clinical nurse nurses physician physicians doctor doctors psychologist psychologists patient patients participant participants coordinator study trial sleep geotechnical structural civil mechanical electrical chemical industrial agricultural farm farming food feed processing facility facilities plant site sites building \
note notes example examples template templates checklist checklists guide guides manual handbook playbook dashboard tool tools platform platforms portal website app apps repository database library file files folder \
gap gaps area areas enhancement enhancements consequence consequences clarification adaptation mechanism mechanisms sponsor sponsors sponsorship capability capabilities uplift consistency check checks projection projections rights situation worst best likelihood synergy conflict justification mitigation audience tor steerco oversight confirmation completeness spreadsheet tracking yes no true false none other others all any each every this that these those the a an and or of for in on at to with by from as it its if when why how what where who which there here we our you your they their he she his her i my \
problem problems solution solutions opportunity opportunities threat threats strength strengths weakness weaknesses sensitivity details detail description rationale background context status owner responsible accountable consulted informed role roles responsibility responsibilities criteria criterion \
advertising promotion distribution channel channels brand branding pricing revenue revenues income profit profits loss sales market markets competitor competitors industry sector business case startup company companies organization organisation corporate enterprise \
change changes request requests escalation emergency incident response crisis disaster recovery continuity business backup insurance liability intellectual property rights patent trademark copyright governance charter minutes agenda meeting meetings workshop workshops kickoff kick-off launch go-live rollout pilot prototype demonstrator proof concept \
pioneer's builder's consolidator's pioneer builder consolidator option gate gates north star mandate premise attack red yellow green blue status type category name title number count amount rate rates item items part parts point points list lists";

fn words(list: &'static str) -> HashSet<&'static str> {
    list.split_whitespace().collect()
}

static COUNTRY_OF: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut map = HashMap::new();
    for country in COUNTRIES.split(';') {
        let mut forms = country.split(',');
        if let Some(name) = forms.next() {
            map.insert(name, name);
            for form in forms {
                map.entry(form).or_insert(name);
            }
        }
    }
    map
});
static PLACE_SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| PLACES.split(',').collect());
static GIVEN: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(GIVEN_NAMES));
static ORGANISATION: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(ORGANISATION_WORDS));
static WEAK_ORGANISATION: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(WEAK_ORGANISATION_WORDS));
static GENERIC: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(GENERIC_WORDS));

/// The country that a form names.
pub(crate) fn country(form: &str) -> Option<&'static str> {
    COUNTRY_OF.get(form).copied()
}

/// Whether `text` is a listed place or its adjective.
pub(crate) fn is_place(text: &str) -> bool {
    COUNTRY_OF.contains_key(text) || PLACE_SET.contains(text)
}

/// Whether `text` is a common given name, in the spelling and case of names ("Maria").
#[must_use]
pub fn is_given_name(text: &str) -> bool {
    GIVEN.contains(text)
}

/// Whether `text` makes a phrase an organisation.
pub(crate) fn is_organisation_word(text: &str) -> bool {
    ORGANISATION.contains(text)
}

/// Whether `text` makes one only beside a word that is no common one.
pub(crate) fn is_weak_organisation_word(text: &str) -> bool {
    WEAK_ORGANISATION.contains(text)
}

/// Whether the lower-cased word names a role, a document, a time, a method.
pub(crate) fn is_generic_word(low: &str) -> bool {
    GENERIC.contains(low)
}
