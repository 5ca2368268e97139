//! The set's instructions, as forms of an answer.

use serde_json::Value;
use steadfast_ask::{Form, HowMany, Tongue};

/// The form that an instruction of the set asks for, by its id and arguments; `None` where it is not known.
pub(super) fn form(id: &str, arguments: &Value) -> Option<Form> {
    let count = |name: &str| arguments.get(name)?.as_f64().map(|it| it.max(0.0) as usize);
    let text = |name: &str| arguments.get(name)?.as_str().map(str::to_owned);
    let texts = |name: &str| -> Option<Vec<String>> {
        arguments.get(name)?.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect()
    };
    let how_many = |relation: &str, name: &str| match arguments.get(relation)?.as_str()? {
        "at least" => Some(HowMany::AtLeast(count(name)?)),
        "less than" => Some(HowMany::LessThan(count(name)?)),
        _ => None,
    };
    Some(match id {
        "change_case:capital_word_frequency" => Form::CapitalWords(how_many("capital_relation", "capital_frequency")?),
        "change_case:english_capital" => Form::UpperCase,
        "change_case:english_lowercase" => Form::LowerCase,
        "combination:repeat_prompt" => Form::Repeats(text("prompt_to_repeat")?),
        "combination:two_responses" => Form::TwoAnswers,
        "detectable_content:number_placeholders" => Form::Placeholders(count("num_placeholders")?),
        "detectable_content:postscript" => Form::Postscript(text("postscript_marker")?),
        "detectable_format:constrained_response" => {
            Form::OneOf(["My answer is yes.", "My answer is no.", "My answer is maybe."].map(str::to_owned).to_vec())
        }
        "detectable_format:json_format" => Form::Json,
        "detectable_format:multiple_sections" => {
            Form::Sections { label: text("section_spliter")?, count: count("num_sections")? }
        }
        "detectable_format:number_bullet_lists" => Form::Bullets(count("num_bullets")?),
        "detectable_format:number_highlighted_sections" => Form::Highlights(count("num_highlights")?),
        "detectable_format:title" => Form::Title,
        "keywords:existence" => Form::Has(texts("keywords")?),
        "keywords:forbidden_words" => Form::HasNot(texts("forbidden_words")?),
        "keywords:frequency" => Form::Term(text("keyword")?, how_many("relation", "frequency")?),
        "keywords:letter_frequency" => {
            Form::Letter(text("letter")?.chars().next()?, how_many("let_relation", "let_frequency")?)
        }
        "language:response_language" => Form::Language(Tongue::of_code(&text("language")?)?),
        "length_constraints:nth_paragraph_first_word" => Form::ParagraphBegins {
            paragraphs: count("num_paragraphs")?,
            nth: count("nth_paragraph")?,
            word: text("first_word")?,
        },
        "length_constraints:number_paragraphs" => Form::Paragraphs(count("num_paragraphs")?),
        "length_constraints:number_sentences" => Form::Sentences(how_many("relation", "num_sentences")?),
        "length_constraints:number_words" => Form::Words(how_many("relation", "num_words")?),
        "punctuation:no_comma" => Form::NoComma,
        "startend:end_checker" => Form::Ends(text("end_phrase")?),
        "startend:quotation" => Form::Quoted,
        _ => return None,
    })
}

/// The same form however it is written: terms in order and in lower case.
pub(super) fn normal(form: Form) -> Form {
    let low = |text: &str| text.trim().to_lowercase();
    let sorted = |terms: &[String]| {
        let mut own: Vec<String> = terms.iter().map(|it| low(it)).collect();
        own.sort();
        own.dedup();
        own
    };
    match form {
        Form::Has(terms) => Form::Has(sorted(&terms)),
        Form::HasNot(terms) => Form::HasNot(sorted(&terms)),
        Form::OneOf(phrases) => Form::OneOf(sorted(&phrases)),
        Form::Term(term, how_many) => Form::Term(low(&term), how_many),
        Form::Ends(phrase) => Form::Ends(low(&phrase)),
        Form::Repeats(part) => Form::Repeats(low(&part)),
        Form::ParagraphBegins { paragraphs, nth, word } => Form::ParagraphBegins { paragraphs, nth, word: low(&word) },
        Form::Letter(letter, how_many) => Form::Letter(letter.to_ascii_lowercase(), how_many),
        other => other,
    }
}
