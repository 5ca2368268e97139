//! Phrases of English and what they make of a clause. General words only: nothing here belongs to one text.

/// What a phrase says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Cue {
    /// A wish: what follows is soft.
    Wish,
    /// A denial.
    Not,
    /// Somebody has no time.
    Busy,
    /// Somebody has time.
    Free,
    /// Hours of work or opening.
    Hours,
    /// All of a day or week.
    Whole,
    /// Something has to be done.
    Need,
    /// Something has to be done whatever happens.
    Must,
    /// This day.
    Today,
    /// The first thing to do.
    Urgent,
    /// It matters.
    High,
    /// It does not matter much.
    Low,
    /// Only if there is time.
    Optional,
    /// The end of all work.
    Leave,
    /// The beginning of all work.
    Begin,
    /// Somebody goes away and is not there until some time.
    Gone,
    /// What is due.
    Due,
    /// What comes after.
    After,
    /// What comes before.
    Before,
    /// Anything that takes time: what is denied here is denied as such.
    Anything,
    /// As many as possible.
    Most,
    /// Ways between places.
    Links,
    /// How long ways take.
    Ways,
    /// To be at a place.
    Present,
    /// To come to a place.
    Arrive,
    /// To spend days at a place.
    Stay,
    /// All of a journey.
    Total,
    /// At least.
    Least,
    /// At most.
    AtMost,
    /// Without a break.
    OneGo,
    /// Something that takes place.
    Event,
    /// To make an appointment.
    Arrange,
    /// How somebody is, what it is like: no task.
    State,
    /// Kept free.
    Guard,
}

/// The phrases of each, parted by bars.
pub(crate) const PHRASES: &[(Cue, &str)] = &[
    (
        Cue::Wish,
        "would rather|'d rather|i'd rather|we'd rather|rather not|prefer|prefers|preferably|preferring|ideally|would like to avoid|\
         'd like to avoid|i'd like to avoid|like to avoid|if possible|hope to|hoping to|would love|i'd love|try to|try not to|\
         trying to|better not|best not|do not want|don't want|doesn't want|does not want|would be nice|would be good|if i can|\
         if we can|where possible|not keen|not a fan|wish|wishes|do not like|don't like|doesn't like|would prefer|i'd prefer|\
         like to keep|love to keep|best in the|best done|works best",
    ),
    (
        Cue::Not,
        "not|no|don't|dont|do not|never|can't|cannot|can not|won't|will not|shouldn't|mustn't|avoid|avoiding|without|nothing|\
         isn't|aren't|doesn't|skip|nobody|unable|couldn't|wouldn't|neither|didn't|cant|wont|nope|stop|leave out|rather not",
    ),
    (
        Cue::Busy,
        "busy|blocked|booked|booked up|booked solid|unavailable|not available|not free|tied up|in meetings|has meetings|have meetings|\
         has a meeting|out of office|out of the office|ooo|on leave|on holiday|on vacation|occupied|engaged|not around|can't do|\
         cannot do|double booked|fully booked|taken|has classes|has class|in class|in a meeting|has appointments|is out|are out|\
         i'm out|am out|away|in transit|travelling|traveling|on a flight|on a plane|in surgery|in court|offline|afk|\
         has calls|have calls|back-to-back meetings",
    ),
    (
        Cue::Gone,
        "gone|gone until|back at|back by|back around|back for|back home|back online|back at my desk|back at the desk|back in the office|home by|home at|home around|home again|away until|out until|not back|be back|off until",
    ),
    (
        Cue::Free,
        "free|available|availability|wide open|open|around|can do|can meet|can only do|only have|only got|have time|has time|\
         at my desk|i've got|i have only|can work|reachable|flexible",
    ),
    (
        Cue::Hours,
        "work hours|working hours|office hours|business hours|opening hours|work day|workday|working day|working time|my hours|\
         hours are|open from|core hours|shift|on shift|my day is|today is|day runs|day goes from|my day runs",
    ),
    (
        Cue::Whole,
        "entire day|whole day|all day|entire week|whole week|all week|entire days|whole days|any time|anytime|the day|all morning|\
         all afternoon|completely|totally",
    ),
    (
        Cue::Need,
        "need to|needs to|need|have to|has to|got to|gotta|todo|to do|to-do|remember to|don't forget|do not forget|should|supposed to|\
         want to|wants to|would like to|i'd like to|you'd like to|'d like to|we'd like to|plan to|going to|gonna|make sure|\
         must|ought to|action|let's|still have to|still need to|also need|time to|planning to|aim to|meant to|\
         promised to|promised|owe|i owe|ensure",
    ),
    (
        Cue::Must,
        "must|must do|non-negotiable|nonnegotiable|non negotiable|no matter what|without fail|has to happen|have to happen|has to go|\
         has to get|has to be|have to|has to|needs to happen|needs to go|absolutely|definitely|whatever happens|cannot slip|\
         can't slip|can not slip|must happen|must go|really must|critical|mandatory|cannot wait|can't wait|won't wait|p0|must-do|\
         needs to be|need to be|needs to get|must be|must get|must not miss|mustn't miss|can't miss|cannot miss|have to get|have to go|have to be|needs doing|won't keep|no excuses",
    ),
    (Cue::Today, "today|today's|tonight|this morning|this afternoon|this evening|by eod|by tonight"),
    (
        Cue::Urgent,
        "urgent|urgently|asap|a.s.a.p|p0|p1|immediately|right away|first thing|top priority|on fire|emergency|overdue|prio 1|priority 1",
    ),
    (Cue::High, "important|high priority|high|key|crucial|priority|critical|p2|matters most|big one|most important"),
    (Cue::Low, "low priority|low prio|p3|p4|whenever|not urgent|no rush|low|minor|some time|at some point|eventually"),
    (
        Cue::Optional,
        "if there's time|if there is time|if time|if time allows|if time permits|if i get to it|if i have time|if i have the time|if i've time|if i've got time|if there's any time|if we have time|optional|\
         optionally|nice to have|nice-to-have|stretch goal|maybe|perhaps|would be nice|if any time is left|if time left|if energy|\
         if i feel like it|time permitting|could also|could do|might|bonus|not a must|if i have energy|if quiet|if it's quiet|if it is quiet|if energy allows|if there is energy|\
         would be great|would be lovely|would be cool|if i'm up to it|if i feel up to it|time allowing|if things are quiet|if bored|if i can|if possible|if there's a minute|if i can be bothered|a minute spare|would be good|if i manage|\
         if poss|if there's energy|if any time|spare time|optional extra|not essential",
    ),
    (
        Cue::Leave,
        "leave|leaving|i leave|head out|heading out|out the door|log off|logging off|hard stop|stop work|stop working|stopping|\
         knock off|clock off|finish work|finishing work|have to go|done for the day|sign off|need to be out|out by|out at|\
         end of my day|i'm done|must be done by|off at|offline at|offline from",
    ),
    (
        Cue::Begin,
        "start work|starting work|start working|start at|starting at|start late|starting late|in at|logging on|log on|online from|online at|\
         at my desk from|in the office from|can't start|cannot start|not before|up at|starting from|begin at|in from|my day starts|\
         day starts",
    ),
    (
        Cue::Due,
        "due|last date|last day|final day|closing date|expires|expiring|expire|runs out|lapses|deadline|deadlines|is due|due by|submission closes|closes|closing|no later than|cutoff|cut-off",
    ),
    (Cue::After, "after|once|as soon as|following|when"),
    (Cue::Before, "before|b4|ahead of|prior to|in time for|ready for|first then"),
    (
        Cue::Anything,
        "book|book anything|schedule|schedule anything|plan|plan anything|meet|meeting|meetings|work|anything|put|put anything|\
         more meetings|any meetings|appointments|calls|things|stuff|bookings|available|interrupt|interruptions|disturb|events|\
         commitments|touch|do anything|happens|on my calendar",
    ),
    (Cue::Most, "as many|as much|most friends|maximise|maximize|the most"),
    (
        Cue::Links,
        "direct flights|direct flight|flights|direct trains|trains|buses|ferries|connections|direct connections|routes|direct routes|\
         links|direct links|direct buses|non-stop flights|nonstop flights|flights between",
    ),
    (
        Cue::Ways,
        "travel distances|travel times|travel time|travel distance|distances|distance|walking times|walking time|walk|drive|ride|\
         commute|journey times|driving times|on foot|by car|by bike|by train|by bus|minutes from|takes|trip|walking|driving",
    ),
    (
        Cue::Present,
        "will be at|is at|are at|am at|i'm at|be at|will be in|is in|am in|i'm in|be in|at the office|stays at|works from|working from|will stay at",
    ),
    (Cue::Arrive, "arrive|arrives|arriving|land|landing|get to|start in|start from|begin in"),
    (Cue::Stay, "stay|spend|visit|staying|spending|visiting|days in|nights in|be in|explore"),
    (Cue::Total, "in total|total|altogether|overall|all in all|in all|trip|journey|tour|itinerary"),
    (Cue::Least, "at least|minimum|minimum of|min|no less than|not less than|or more|or longer"),
    (Cue::AtMost, "at most|maximum|maximum of|max|no more than|not more than|up to|or less|tops|cap at|capped at"),
    (
        Cue::OneGo,
        "in one go|one sitting|in one sitting|uninterrupted|without a break|without interruption|in a single block|straight through|non-stop|one block",
    ),
    (
        Cue::Event,
        "lab|round|mtg|standup|stand-up|daily|scrum|meeting|call|sync|1:1|1-1|1on1|one-on-one|one-to-one|dentist|doctor|gp|physio|therapist|\
         therapy|appointment|lunch|dinner|breakfast|brunch|drinks|interview|webinar|workshop|class|lesson|lecture|seminar|\
         training|demo|retro|retrospective|planning|all-hands|all hands|townhall|town hall|party|concert|show|film|movie|game|\
         match|practice|rehearsal|choir|yoga|gym|pilates|swimming|haircut|flight|train|bus|pick-up|pickup|pick up|drop-off|\
         dropoff|drop off|school run|kickoff|kick-off|review|presentation|talk|session|catch-up|catchup|catch up|check-in|\
         checkin|coffee|visit|viewing|delivery|plumber|electrician|hearing|exam|test|ceremony|church|mass|service|parents' evening|\
         board call|board meeting|conference|event|back-to-back|back-to-backs|meetings|calls|vet|barber|hairdresser|tour|rounds|\
         shift|surgery|zoom|teams call|facetime|bedtime|bath time|bath|recital|playdate|nap|walkthrough|inspection|handover",
    ),
    (
        Cue::Arrange,
        "schedule a|schedule the|schedule an|arrange a|arrange an|set up a|find a time|find time|find a slot|book a|organise a|organize a|\
         plan a|hold a|fit in a|schedule",
    ),
    (
        Cue::State,
        "slept|go easy|take it easy|tired|energy|feeling|felt|weather|raining|sunny|mood|headache|woke|hungover|exhausted|grateful|fyi|idea|ideas|thought|\
         thoughts|was|were|went|had|yesterday|last night|last week|said|told|thinks|seems|energy dip|low energy|slump|wrote|wrote that|reckons|texted|btw|n.b",
    ),
    (
        Cue::Guard,
        "keep free|keep clear|kept free|block|block out|block off|blocking|protect|protected|reserve|reserved|hold|off limits|off-limits|sacred|leave free|no-meeting|no meeting|keep",
    ),
];
