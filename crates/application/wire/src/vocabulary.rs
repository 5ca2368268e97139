//! Closed vocabularies that are arguments of verbs as well.

/// Declares a vocabulary, see [`steadfast_evidence::vocabulary!`], that the command line reads as well.
macro_rules! names {
    (
        $(#[$outer:meta])*
        $name:ident { $( $(#[doc = $about:literal])+ $variant:ident = $spelling:literal, $label:literal; )+ }
    ) => {
        steadfast_evidence::vocabulary! {
            $(#[$outer])*
            $name { $( $(#[doc = $about])+ $variant = $spelling, $label; )+ }
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
    };
}

pub(crate) use names;
