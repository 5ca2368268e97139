//! How closed vocabularies are declared.

/// Declares a vocabulary: each name with its spelling in JSON, its words for a reader, and what it means. It stands in the crate that decides by it, and is
/// published as it stands there.
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$outer:meta])*
        $name:ident { $( $(#[doc = $about:literal])+ $variant:ident = $spelling:literal, $label:literal; )+ }
    ) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        $(#[$outer])*
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
