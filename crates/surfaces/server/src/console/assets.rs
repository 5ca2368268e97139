//! What pages load: built into the program, under addresses that change with what they hold, so that a browser keeps them.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use crate::problem::Problem;

/// An asset.
struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const ASSETS: [Asset; 8] = [
    Asset { name: "console.css", kind: CSS, bytes: include_bytes!("../../assets/console.css") },
    Asset { name: "instruments.css", kind: CSS, bytes: include_bytes!("../../assets/instruments.css") },
    Asset { name: "results.css", kind: CSS, bytes: steadfast_render::RESULT_CSS.as_bytes() },
    Asset { name: "console.js", kind: SCRIPT, bytes: include_bytes!("../../assets/console.js") },
    Asset { name: "instruments.js", kind: SCRIPT, bytes: include_bytes!("../../assets/instruments.js") },
    Asset { name: "live.js", kind: SCRIPT, bytes: include_bytes!("../../assets/live.js") },
    Asset { name: "htmx.min.js", kind: SCRIPT, bytes: include_bytes!("../../assets/htmx.min.js") },
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../assets/icon.svg") },
];

/// FNV-1a of 64 bits: it tells versions of an asset apart, and guards nothing.
const fn fnv(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Where an asset is to be had.
pub(super) fn address(name: &str) -> String {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    format!("/assets/{:016x}/{name}", asset.map_or(0, |asset| fnv(asset.bytes)))
}

/// An asset. One that is asked for by an older hash is given as it is now, and not kept by the browser.
pub(super) async fn asset(Path((hash, name)): Path<(String, String)>) -> Result<Response, Problem> {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return Err(Problem::new(StatusCode::NOT_FOUND, "there is no such thing", "no asset of this name is there"));
    };
    let own = format!("{:016x}", fnv(asset.bytes));
    let current = hash == own;
    let cached = if current { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, cached)];
    Ok((headers, [(header::ETAG, format!("\"{own}\""))], asset.bytes).into_response())
}

/// What browsers ask for by themselves.
pub(super) async fn icon() -> Redirect {
    Redirect::permanent(&address("icon.svg"))
}

#[cfg(test)]
mod tests {
    use steadfast_engine::File;
    use steadfast_engine::runs::input;

    use super::{ASSETS, address};

    #[test]
    fn what_is_of_others_is_what_its_papers_say() {
        let papers = include_str!("../../assets/README.md");
        let asset = ASSETS.iter().find(|asset| asset.name == "htmx.min.js").unwrap();
        let sha256 = input(&File { name: asset.name.to_owned(), bytes: asset.bytes.to_vec() }).sha256;
        assert!(papers.contains(&format!("`{sha256}`")), "assets/README.md names another hash than {sha256}");
    }

    #[test]
    fn addresses_change_with_what_assets_hold() {
        let (css, script) = (address("console.css"), address("console.js"));
        assert!(css.starts_with("/assets/") && css.ends_with("/console.css") && css.len() == 8 + 16 + 12, "{css}");
        assert_ne!(css.get(8..24), script.get(8..24));
    }

    #[test]
    fn assets_fetch_nothing_from_elsewhere() {
        for asset in ASSETS.iter().filter(|asset| asset.name.ends_with(".css")) {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            assert!(!text.contains("url(") && !text.contains("@import"), "{}", asset.name);
        }
    }
}
