//! The words from which the strength of a claim is read, by what they do.
//!
//! Sources: Hyland, "Metadiscourse" (2005), hedges and boosters; Palmer, "Mood and Modality" (2001), likelihood against duty;
//! Sumner et al., "The association between exaggeration in health related science news and academic press releases" (BMJ 2014),
//! the order of correlational, conditional and causal wording. The lists were widened by what the tuning halves of the sets in
//! `scale.txt` use. A word may stand in several classes.

/// Classes of words: name, and alternatives parted by `|`. `*` at the end of a word stands for any ending, alone for any one word.
pub(super) const CUES: &[(&str, &str)] = &[
    ("can-be", "may|might|could"),
    ("ability", "can|would|capable of|able to"),
    ("likely", "likely to|probably|presumably|likely|probable|expected to|tend to|tends to|tended to"),
    ("possible", "possibl*|potential*|perhaps|maybe|plausibl*|promising|conceivabl*|chance"),
    ("seems", "appear*|seem*"),
    ("believed", "believe*|think|thinks|thought|speculat*|hypothes*|suspect*|assum*|propos*"),
    ("suggests", "suggest*|impl*"),
    ("indicates", "indicat* that|indicate|indicates|indicated|indicating|points to|point to"),
    (
        "shows",
        "show|shows|showed|shown|showing|demonstrat*|reveal*|confirm*|prove*|proving|established|evidence that|provides evidence|provide evidence|highlight*|conclude*|conclusion",
    ),
    ("finds", "found|find|finds|observ*|discover*|identif*|detected|noted"),
    ("associated", "associat*|correlat*"),
    (
        "related",
        "inverse*|dose dependent|in accordance with|interaction|dependen*|tendency|clustered|relat* to|relation|relations|relationship*|linked|link|links|linking|connected|connection*|accompanied by|coincid*|covar*|connected with|tied to|dependent on|depend* on",
    ),
    ("predicts", "predict*|prognos*"),
    (
        "marker",
        "signature|surrogate|covariate*|risk marker*|risk factor*|marker*|biomarker*|indicator*|correlates|factor for|factors for|index of|discriminat*|distinguish*|independent of|independently|independent|parallel*|proportional",
    ),
    (
        "more-than",
        "more * than|less * than|than|higher|lower|greater|smaller|larger|longer|shorter|worse|fewer|highest|lowest|stronger|poorer|compar*|versus|vs|whereas",
    ),
    ("differ", "differ*|similar*|comparabl*|varied|varies|variation*|variab*|no difference*"),
    (
        "likelier",
        "more common*|less common*|more frequent*|less frequent*|more often|less often|more prevalent|hazard|more likely|less likely|likelihood|odds|probabilit*|prone|susceptib*|at risk|increased risk|higher risk|lower risk|greater risk|reduced risk|risk of|risk for|times more|times as",
    ),
    (
        "trend",
        "trend*|over time|after adjust*|adjust*|significantly higher|significantly lower|statistically|was significant*|were significant*",
    ),
    ("changed", "increased|decreased|improved|reduced|rose|fell|elevated|raised|changed|declin*|lowered"),
    ("increases", "increase|increases|increasing|raise|raises|raising|elevate|elevates"),
    (
        "decreases",
        "reduce|reduces|reducing|decrease|decreases|decreasing|lower the|lowers|lowering|diminish*|cut|cuts|cutting|slow|slows|delay|delays|delayed|minimi*|alleviat*|mitigat*|reverse|reverses|reversed",
    ),
    (
        "improves",
        "favorable|favourable|improvement*|better|superior|improve|improves|improving|enhanc*|boost*|optimi*|increase|increases|strengthen*|restor*|save|saves|saving|relieve*|advance*",
    ),
    (
        "prevents",
        "prevent*|protect*|avoid*|suppress*|inhibit*|block*|attenuat*|counter*|limit|limits|kill*|eliminat*|stop|stops|curb*",
    ),
    (
        "causes",
        "caus*|lead to|leads to|led to|leading to|lead|result in|results in|resulted in|resulting in|result from|results from|resulted from|due to|because of|attributable to|attributed to|responsible for|give rise to|gives rise to|bring about|brought about|consequence*|owing to|thanks to|via|through",
    ),
    (
        "affects",
        "predispos*|sensitiv*|susceptible to|burden|resulted from|affect|affects|affecting|influenc*|impact*|effect on|effects on|effect of|effects of|alter|alters|altered|altering|modif*|shape|shapes|shaping|disrupt*|impair*|harm*|damage*|interfer*|disturb*|compromis*",
    ),
    (
        "drives",
        "reinforc*|maintain*|ensur*|provid*|led|yield*|offer*|create*|creating|prompt*|induc*|trigger*|promot*|stimulat*|activat*|modulat*|mediat*|regulat*|drive|drives|driven|driving|determin*|accelerat*|worsen*|aggravat*|exacerbat*|facilitat*|enabl*|allow|allows|produc*|generat*|confer*|contribut*|explain*|account for|accounts for|underl*|make|makes|making|provoke*|favor*|favour*|support|supports",
    ),
    ("role", "role|roles|involved in|involvement|mechanism*|pathway*|mediator*|target*"),
    ("helps", "help|helps|helped|helping|benefi*|useful|advantage*|valuable|aid|aids"),
    (
        "works",
        "tolerat*|safe|safety|adequate|sufficient|robust|active|potent|effective*|efficac*|efficien*|superior*|noninferior*|non inferior*|successful*|success|response|responds|achiev*|inferior*",
    ),
    (
        "treats",
        "treatment*|therap*|intervention*|supplement*|administ*|program*|training|dose|doses|use of|trial|randomi*",
    ),
    (
        "not",
        "not|no|neither|nor|without|fail*|lack*|absence|absent|little|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|never|none|hardly",
    ),
    (
        "no-effect",
        "no effect*|no significant|not significant*|no association*|no evidence|not affect*|no impact|no influence|no benefit*|not improve*|no correlation*|not associated|not related|no relationship*|unrelated",
    ),
    (
        "need",
        "call for|calls for|urgent*|priority|worthwhile|question*|opportunit*|need|needs|needed|require*|requiring|necessary|warrant*|must|essential|necessit*|imperative",
    ),
    ("should", "should|ought|recommend*|advis*|consider*|encourag*|suggested that * should"),
    (
        "study",
        "further|future|research|studies|study|investigat*|explor*|examin*|evaluat*|clarify|elucidat*|understand*",
    ),
    (
        "purpose",
        "aim|aims|aimed|objective*|purpose|to assess|to determine|to evaluate|goal*|hypothesis|attempt*|designed",
    ),
    (
        "method",
        "parameter*|device*|surveillance|screening|guideline*|alternative|option*|candidate*|classif*|detection|identification|method*|tool|tools|approach*|questionnaire*|protocol*|technique*|procedure*|algorithm*|instrument*|measurement*|assessment*|test|tests|testing|scale|score|scores|valid*|reliab*|feasib*|accurac*|diagnos*",
    ),
    (
        "frequency",
        "occurred|distribution|present in|comprise*|account for|majority|prevalen*|incidence|common*|rare|rarely|frequen*|proportion*|percent*|most|half|many|widespread|burden|rate|rates",
    ),
    (
        "describes",
        "first to|the first|consensus|consistent with|in accordance|in line with|trial registration|published|literature|was performed|were performed|describ*|report|reports|reported|reporting|present|presents|presented|review*|discuss*|overview|summar*|case|registration|registered|funded|level of evidence|abstract",
    ),
    (
        "limits",
        "limitation*|unclear|unknown|uncertain*|controvers*|inconsistent|insufficient|inconclusive|remain*|limited|preliminary|caution*",
    ),
    ("we-say", "we|our|these results|these findings|this study|these data|results|findings|data"),
    ("possession", "has|have|had|is|are|was|were"),
    ("importance", "important*|crucial|key|critical|major|significant"),
    (
        "strong",
        "clear*|strong*|strikingly|definite*|certainly|always|undoubtedly|conclusive*|proven|truly|indeed|obvious*|highly",
    ),
    (
        "some",
        "some|sometimes|partly|partial*|somewhat|moderate*|modest*|often|generally|usually|relatively|approximately|about|around|nearly|almost|roughly",
    ),
    ("if", "if|whether|when|unless|depend*|provided"),
];
