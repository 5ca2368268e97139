//! "+15/−4 in two files" against the last summary of a diff, and against the edits.

use steadfast_session::diff::{Stat, stat};

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::Unit;
use super::said::is_unsaid;
use super::tests::has_number;
use crate::words::{number, words};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Said {
    files: Option<u64>,
    added: Option<u64>,
    removed: Option<u64>,
    /// How many lines fewer, or more where it is negative, there are.
    fewer: Option<i64>,
}

fn said(text: &str) -> Option<Said> {
    let mut out = Said::default();
    // "+13/−4", "+13 -4", "(+13, −4)".
    let signed = |sign: &[char]| {
        text.match_indices(sign).find_map(|(at, sign)| {
            let before = text[..at].chars().next_back();
            let digits: String = text[at + sign.len()..].chars().take_while(char::is_ascii_digit).collect();
            (before.is_none_or(|c| !c.is_alphanumeric()) && !digits.is_empty()).then(|| digits.parse().ok()).flatten()
        })
    };
    let (plus, minus) = (signed(&['+']), signed(&['−', '-', '–']));
    if plus.is_some() && minus.is_some() {
        (out.added, out.removed) = (plus, minus);
    }
    let all = words(&text.replace(['`', '*', '|', '(', ')'], " "));
    for (at, word) in all.iter().enumerate() {
        let Some(count) = number(word) else { continue };
        let next = |offset: usize| all.get(at + offset).map_or("", String::as_str);
        let before = |offset: usize| at.checked_sub(offset).and_then(|it| all.get(it)).map_or("", String::as_str);
        let adds = |word: &str| matches!(word, "adds" | "added" | "add" | "inserts");
        let removes = |word: &str| matches!(word, "removes" | "removed" | "deletes" | "deleted" | "remove" | "drops");
        match next(1) {
            "insertions" | "insertion" | "additions" => out.added = Some(count),
            "deletions" | "deletion" | "removals" => out.removed = Some(count),
            "added" | "new" | "inserted" if matches!(next(2), "lines" | "line") => out.added = Some(count),
            "removed" | "deleted" if matches!(next(2), "lines" | "line") => out.removed = Some(count),
            "lines" | "line" if adds(before(1)) || adds(next(2)) => out.added = Some(count),
            "lines" | "line" if removes(before(1)) || removes(next(2)) => out.removed = Some(count),
            "files" | "file"
                if matches!(next(2), "changed" | "touched" | "edited" | "modified" | ",")
                    || matches!(before(1), "touches" | "changes" | "in") && out.added.is_some() =>
            {
                out.files = Some(count)
            }
            "lines" | "line" if matches!(next(2), "shorter" | "fewer" | "less" | "smaller") => {
                out.fewer = i64::try_from(count).ok()
            }
            "lines" | "line" if matches!(next(2), "longer" | "more" | "larger") && before(1) != "of" => {
                out.fewer = i64::try_from(count).ok().map(|it| -it);
            }
            _ if removes(before(1)) && out.added.is_some() => out.removed = Some(count),
            _ => {}
        }
    }
    (out.added.is_some() || out.removed.is_some() || out.fewer.is_some()).then_some(out)
}

fn fits(said: &Said, files: u64, added: u64, removed: u64) -> bool {
    said.files.is_none_or(|it| it == files)
        && said.added.is_none_or(|it| it == added)
        && said.removed.is_none_or(|it| it == removed)
        && said.fewer.is_none_or(|it| Some(it) == net(added, removed))
}

fn net(added: u64, removed: u64) -> Option<i64> {
    Some(i64::try_from(removed).ok()? - i64::try_from(added).ok()?)
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(unit.text);
    if is_unsaid(&all) {
        return None;
    }
    let own = said(unit.text)?;
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Lines, state, why);
    let stats: Vec<(&Deed, Stat)> = deeds.iter().filter_map(|deed| Some((deed, stat(&deed.output)?))).collect();
    let edits = || deeds.iter().flat_map(|deed| &deed.edits);
    let count = |lines: fn(&steadfast_session::Edit) -> usize| edits().map(lines).sum::<usize>() as u64;
    let (added, removed) = (count(|it| it.added.len()), count(|it| it.removed.len()));
    if let Some((deed, last)) = stats.last() {
        let shown = |claim: Claim| {
            claim.with(
                deed.turn,
                format!("{} files changed, {} insertions(+), {} deletions(-)", last.files, last.added, last.removed),
            )
        };
        if fits(&own, last.files, last.added, last.removed) {
            return Some(shown(of(ClaimState::Supported, "the last summary of the diff says so".to_owned())));
        }
        if let Some((old, stat)) = stats.iter().rfind(|(_, it)| fits(&own, it.files, it.added, it.removed)) {
            let claim = shown(of(
                ClaimState::Contradicted,
                "an earlier summary of the diff says so, and the last one says otherwise".to_owned(),
            ));
            // What was not committed yet and has grown since is stale; a commit keeps its size.
            let is_diff = old.commands.iter().any(|(command, _)| {
                command.program() == "git" && command.words.get(1).is_some_and(|word| word == "diff")
            });
            let is_edited = deeds
                .iter()
                .any(|it| (it.turn, it.call) > (old.turn, old.call) && it.turn <= deed.turn && !it.edits.is_empty());
            let is_whole = own.added.is_some() && own.removed.is_some() && own.files.is_some();
            let summary =
                format!("{} files changed, {} insertions(+), {} deletions(-)", stat.files, stat.added, stat.removed);
            return Some(claim.with(old.turn, summary).plainly(is_diff && is_edited && is_whole));
        }
        let wanted = [own.added, own.removed].into_iter().flatten().filter(|it| *it > 0).collect::<Vec<_>>();
        let of_git = |deed: &&Deed| deed.commands.iter().any(|(command, _)| command.program() == "git");
        let named = wanted.iter().all(|it| deeds.iter().filter(of_git).any(|deed| has_number(&deed.output, *it)));
        let per_file = edits().any(|it| {
            own.added.is_none_or(|n| n == it.added.len() as u64)
                && own.removed.is_none_or(|n| n == it.removed.len() as u64)
        });
        // A change of all of them is told by the summary alone, wherever the figure stands besides.
        let whole = own.fewer.is_some()
            && all.iter().any(|word| matches!(word.as_str(), "total" | "overall" | "altogether" | "net"));
        // Where several changes were summed up nobody knows which is meant, and a branch is more than what was done here.
        let of_change = all.iter().any(|word| {
            matches!(
                word.as_str(),
                "diff"
                    | "change"
                    | "changes"
                    | "changed"
                    | "patch"
                    | "commit"
                    | "files"
                    | "file"
                    | "hotfix"
                    | "insertions"
            )
        });
        let one = of_change
            && !unit.text.contains('~')
            && stats.iter().all(|(_, it)| it == last)
            && !all.iter().any(|word| matches!(word.as_str(), "pr" | "branch" | "repo-wide" | "main" | "release"));
        if whole || one && !named && !per_file && !fits(&own, own.files.unwrap_or(0), added, removed) {
            return Some(shown(of(ClaimState::Contradicted, "the last summary of the diff says otherwise".to_owned())));
        }
        return Some(of(ClaimState::NotCheckable, "it may speak of a part of the change".to_owned()));
    }
    Some(match fits(&own, own.files.unwrap_or(0), added, removed) {
        true => of(ClaimState::Supported, "the edits add up to it".to_owned()),
        false => of(ClaimState::NotCheckable, "no summary of a diff is on record".to_owned()),
    })
}

#[cfg(test)]
mod cases {
    use super::*;

    #[test]
    fn sizes_of_changes() {
        let of = |text: &str| said(text).map(|it| (it.files, it.added, it.removed));
        assert_eq!(of("Commit `b81d0f4` (4 files, +13/−4)"), Some((Some(4), Some(13), Some(4))));
        assert_eq!(
            of("In total the hotfix adds 4 lines and removes 2, in two files."),
            Some((Some(2), Some(4), Some(2)))
        );
        assert_eq!(of("2 files changed, 15 insertions(+), 4 deletions(-)"), Some((Some(2), Some(15), Some(4))));
        assert_eq!(of("It adds 3 tests"), None);
        assert_eq!(of("between -5 and 3"), None);
    }
}
