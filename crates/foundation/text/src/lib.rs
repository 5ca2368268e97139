//! Documents as a tree over the file's own bytes: sections, sentences, tokens, spans, quotes.
//!
//! [`Document::read`] turns Markdown, HTML or plain text into sections, blocks and tables. Every block's text knows where
//! each of its bytes stands in the file ([`MappedText`]), so whatever is found in the text can be shown in the file
//! ([`Document::evidence_span`]), and whatever somebody quotes can be looked up in it ([`locate`]). The same text as
//! Markdown and as HTML gives the same blocks.
//!
//! What is absent: the crate knows nothing of what a text means (numbers, dates, duties), and opens no file.

mod bounded;
mod builder;
mod document;
mod html;
mod label;
mod locate;
mod mapped;
mod markdown;
mod plain;
mod read;
mod sentence;
mod shared;
mod shingle;
mod span;
mod token;

pub use document::{Block, BlockKind, Document, Format, Section, Table};
pub use label::lead_in;
pub use locate::{Located, MatchKind, QuoteIndex, locate};
pub use mapped::{MappedText, Piece, Pieces};
pub use read::{BLOCKS_MAX, DOCUMENT_BYTES_MAX, NESTING_DEPTH_MAX, TextError};
pub use sentence::{SENTENCE_BYTES_MAX, sentences};
pub use shared::{Ranges, SharedStr};
pub use shingle::{SHINGLE_WORDS, Shingles, repeated_share};
pub use span::Span;
pub use token::{Token, TokenKind, tokens};
