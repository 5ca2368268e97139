//! Who found or judged something.

/// Who found or judged something.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The rules of this program.
    #[default]
    Code,
    /// A chat model, by its name.
    Chat(String),
    /// The agent or script that calls.
    Host,
    /// A person, by the name that they gave, if any.
    Person(Option<String>),
}
