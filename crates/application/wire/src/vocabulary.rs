//! How closed vocabularies are declared.

/// Declares a vocabulary: each name with its spelling in JSON, its words for a reader, and what it means.
macro_rules! names {
    (
        $(#[$outer:meta])*
        $name:ident { $( $(#[doc = $about:literal])+ $variant:ident = $spelling:literal, $label:literal; )+ }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $( $(#[doc = $about])+ #[serde(rename = $spelling)] $variant, )+
        }

        impl $name {
            /// All of them, in the order in which they are shown.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// As it is spelled in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $spelling, )+ }
            }

            /// In words for a reader.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $( Self::$variant => $label, )+ }
            }
        }

        #[cfg(feature = "clap")]
        impl clap::ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                Self::ALL
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                let about = match self { $( Self::$variant => concat!($($about),+).trim(), )+ };
                Some(clap::builder::PossibleValue::new(self.name()).help(about.trim_end_matches('.')))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use names;
