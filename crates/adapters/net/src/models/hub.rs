//! Files from a server, each below one address; what broke off goes on where it was.

use std::path::Path;

use super::place::Part;
use super::{Event, ModelFile, Notify, blocking};
use crate::{Client, Error, Redirects, Request};

/// How often in a row a transfer that broke off is taken up again. Only one that brought something is.
const BREAKS_MAX: u32 = 8;

const RANGE_NOT_SATISFIABLE: u16 = 416;

pub(super) async fn fetch(
    client: &Client,
    base: &str,
    hosts: &[String],
    files: &[ModelFile],
    folder: &Path,
    notify: Notify<'_>,
) -> Result<(), Error> {
    let total = files.iter().map(|file| file.bytes).sum();
    let mut before = 0;
    for file in files {
        let progress = |done| notify(Event::Progress { done: before + done, total });
        one(client, &format!("{base}/{}", file.name), hosts, file, folder, notify, &progress).await?;
        before += file.bytes;
        notify(Event::Progress { done: before, total });
    }
    Ok(())
}

async fn one(
    client: &Client,
    url: &str,
    hosts: &[String],
    file: &ModelFile,
    folder: &Path,
    notify: Notify<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), Error> {
    let part = Part::of(file, folder);
    let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
    let mut breaks = 0;
    // Whether what is on the disk came from an earlier run: then a wrong hash may be its fault, and all is fetched once more.
    let mut old = part.resume(url)?.bytes > 0;
    loop {
        let had = part.resume(url)?.bytes;
        if had < file.bytes {
            if had > 0 {
                notify(Event::Resumed { file: &file.name, bytes: had });
            }
            match transfer(client, url, hosts, file, &part, progress).await {
                Ok(()) => {}
                Err(Error::Broken { bytes, .. }) if bytes > had && breaks < BREAKS_MAX => {
                    breaks += 1;
                    continue;
                }
                // The server has nothing from there on: what is here is not from the file that it has now.
                Err(Error::Status { status: RANGE_NOT_SATISFIABLE, .. }) if had > 0 => {
                    part.discard()?;
                    continue;
                }
                Err(error) => {
                    if matches!(error, Error::TooLarge { .. } | Error::Answer { .. }) {
                        part.discard()?;
                    }
                    return Err(error);
                }
            }
        }
        let (part, origin) = (part.clone(), origin.clone());
        match blocking(move || part.finish(&origin)).await {
            Err(Error::WrongHash { .. }) if old => old = false,
            result => return result,
        }
    }
}

/// Fetches what is missing of a file, or all of it where the server does not go on.
async fn transfer(
    client: &Client,
    url: &str,
    hosts: &[String],
    file: &ModelFile,
    part: &Part,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), Error> {
    let resume = part.resume(url)?;
    let request = Request { url, redirects: Redirects::To(hosts), resume: Some(&resume), body_bytes_max: file.bytes };
    let mut answer = client.get(&request).await?;
    let mut done = answer.start;
    let mut out = if done > 0 { part.append()? } else { part.begin(url, answer.etag.as_deref())? };
    progress(done);
    while let Some(chunk) = answer.chunk().await? {
        // A piece is some kilobytes: writing it takes less time than handing it to another thread.
        part.write(&mut out, &chunk)?;
        done += chunk.len() as u64;
        progress(done);
    }
    Ok(())
}
