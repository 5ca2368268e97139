//! Files from a server: whole, resumed, wrong, led elsewhere, asked for by two at once.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;

use common::{
    Reply, Server, WEIGHTS_BYTES, answer, block_on, complete, content, cut, file, model, names, patient_client, pull,
};
use steadfast_net::Error;
use steadfast_net::models::{self, Event, Source, State};
use tempfile::tempdir;

#[test]
fn all_files_are_fetched_once() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    let folder = folder.path().join("models").join("small");
    let pulled = pull(&folder, &[server.hub()]).0.unwrap();
    assert_eq!(pulled.fetched, ["weights.bin", "words.txt"]);
    assert_eq!(pulled.source, Some(server.base.replace("http://", "")));
    complete(&folder);
    let pulled = pull(&folder, &[server.hub()]).0.unwrap();
    assert_eq!((pulled.fetched.len(), pulled.source), (0, None));
    let asked = server.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert_eq!(asked[0].header("range"), None);
    assert_eq!(asked[0].header("accept-encoding").as_deref(), Some("identity"));
}

#[test]
fn progress_ends_at_all_bytes_and_never_goes_back() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    let seen = Mutex::new(Vec::new());
    let notify = |event: Event<'_>| {
        if let Event::Progress { done, total } = event {
            assert_eq!(total, model().bytes());
            seen.lock().unwrap().push(done);
        }
    };
    block_on(models::pull(&patient_client(), &model(), folder.path(), &[server.hub()], &notify)).unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.last(), Some(&model().bytes()));
    assert!(seen.is_sorted());
}

#[test]
fn a_transfer_that_breaks_off_goes_on_where_it_was() {
    let server = Server::new(|asked, count| Reply::Send(if count == 0 { cut(asked, 100_000) } else { file(asked) }));
    let folder = tempdir().unwrap();
    let (result, told) = pull(folder.path(), &[server.hub()]);
    result.unwrap();
    complete(folder.path());
    let asked = server.asked();
    assert_eq!(asked[1].from(), WEIGHTS_BYTES - 100_000);
    assert_eq!(asked[1].header("if-range").as_deref(), Some("\"weights.bin-1\""));
    assert!(told.iter().any(|event| event.starts_with("Resumed")), "{told:?}");
}

#[test]
fn a_transfer_that_falls_silent_goes_on_too() {
    let server =
        Server::new(|asked, count| if count == 0 { Reply::Hold(cut(asked, 1)) } else { Reply::Send(file(asked)) });
    let folder = tempdir().unwrap();
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    assert_eq!(server.asked()[1].from(), WEIGHTS_BYTES - 1);
}

#[test]
fn the_next_run_goes_on_where_the_last_one_was() {
    // The first run sees a server that breaks off and is gone from then on.
    let server = Server::new(|asked, count| match count {
        0 => Reply::Send(cut(asked, 1)),
        1 => Reply::Send(answer("503 Service Unavailable", &[("content-length", "0")], b"")),
        _ => Reply::Send(file(asked)),
    });
    let folder = tempdir().unwrap();
    let error = pull(folder.path(), &[server.hub()]).0.unwrap_err();
    assert!(matches!(error, Error::Status { status: 503, .. }), "{error}");
    assert_eq!(names(folder.path()), [".lock", "weights.bin.part", "weights.bin.part.from"]);
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    assert_eq!(server.asked()[2].from(), WEIGHTS_BYTES - 1);
}

#[test]
fn a_server_that_knows_no_ranges_is_read_from_the_start() {
    let whole = |name: &str| {
        let content = content(name).unwrap();
        answer("200 OK", &[("content-length", &content.len().to_string())], &content)
    };
    let server = Server::new(move |asked, count| {
        let mut answer = whole(asked.path.trim_start_matches('/'));
        if count == 0 {
            answer.truncate(answer.len() - 7);
        }
        Reply::Send(answer)
    });
    let folder = tempdir().unwrap();
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    assert_eq!(server.asked()[1].from(), WEIGHTS_BYTES - 7);
}

#[test]
fn what_came_from_elsewhere_is_not_gone_on_with() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("weights.bin.part"), [1, 2, 3]).unwrap();
    fs::write(folder.path().join("weights.bin.part.from"), "http://other.example/weights.bin\n\n").unwrap();
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    assert_eq!(server.asked()[0].header("range"), None);
}

#[test]
fn a_spoiled_part_is_fetched_once_more() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("weights.bin.part"), vec![0; WEIGHTS_BYTES - 5]).unwrap();
    let note = format!("{}/weights.bin\n\"weights.bin-1\"\n", server.base);
    fs::write(folder.path().join("weights.bin.part.from"), note).unwrap();
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    let ranges: Vec<usize> = server.asked().iter().map(common::Asked::from).collect();
    assert_eq!(ranges, [WEIGHTS_BYTES - 5, 0, 0]);
}

#[test]
fn a_changed_file_is_fetched_from_the_start() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("weights.bin.part"), [9; 1000]).unwrap();
    let note = format!("{}/weights.bin\n\"weights.bin-0\"\n", server.base);
    fs::write(folder.path().join("weights.bin.part.from"), note).unwrap();
    pull(folder.path(), &[server.hub()]).0.unwrap();
    complete(folder.path());
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_wrong_file_is_thrown_away_and_both_hashes_are_said() {
    let server = Server::new(|_, _| {
        let body = vec![7; WEIGHTS_BYTES];
        Reply::Send(answer("200 OK", &[("content-length", &WEIGHTS_BYTES.to_string())], &body))
    });
    let folder = tempdir().unwrap();
    let error = pull(folder.path(), &[server.hub()]).0.unwrap_err();
    let Error::WrongHash { file, wanted, found, .. } = &error else { panic!("{error}") };
    assert_eq!((file.as_str(), wanted), ("weights.bin", &model().files[0].sha256));
    assert!(error.to_string().contains(found) && error.to_string().contains(wanted));
    assert_eq!(names(folder.path()), [".lock"]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_body_that_is_announced_too_large_is_not_read() {
    let server = Server::new(|_, _| {
        Reply::Hold(answer("200 OK", &[("content-length", &(WEIGHTS_BYTES + 1).to_string())], b"x"))
    });
    let folder = tempdir().unwrap();
    let error = pull(folder.path(), &[server.hub()]).0.unwrap_err();
    assert!(matches!(error, Error::TooLarge { bytes_max, .. } if bytes_max == WEIGHTS_BYTES as u64), "{error}");
    assert_eq!(names(folder.path()), [".lock"]);
}

#[test]
fn a_body_that_grows_too_large_is_cut_off() {
    let server = Server::new(|_, _| Reply::Send(answer("200 OK", &[], &vec![7; WEIGHTS_BYTES + 1])));
    let folder = tempdir().unwrap();
    let error = pull(folder.path(), &[server.hub()]).0.unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
    assert_eq!(names(folder.path()), [".lock"]);
}

#[test]
fn a_body_that_is_too_small_is_another_file() {
    let server = Server::new(|_, _| Reply::Send(answer("200 OK", &[("content-length", "2")], b"hi")));
    let folder = tempdir().unwrap();
    let error = pull(folder.path(), &[server.hub()]).0.unwrap_err();
    assert!(matches!(error, Error::WrongHash { .. }), "{error}");
    assert_eq!(names(folder.path()), [".lock"]);
}

#[test]
fn a_file_that_is_there_and_wrong_is_replaced() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("weights.bin"), vec![0; WEIGHTS_BYTES]).unwrap();
    fs::write(folder.path().join("words.txt"), "one\n").unwrap();
    let states = block_on(models::check(&model(), folder.path())).unwrap();
    assert!(matches!(states[..], [State::WrongHash { .. }, State::WrongSize { bytes: 4 }]), "{states:?}");
    let (result, told) = pull(folder.path(), &[server.hub()]);
    result.unwrap();
    complete(folder.path());
    assert_eq!(told.iter().filter(|event| event.starts_with("Spoiled")).count(), 2, "{told:?}");
}

#[test]
fn only_what_is_missing_is_fetched() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("weights.bin"), content("weights.bin").unwrap()).unwrap();
    assert_eq!(pull(folder.path(), &[server.hub()]).0.unwrap().fetched, ["words.txt"]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn what_is_not_there_is_said() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    let elsewhere = Source::Hub { base: format!("{}/no/such", server.base), hosts: Vec::new() };
    let error = pull(folder.path(), &[elsewhere]).0.unwrap_err();
    assert_eq!(error.to_string(), format!("{}/no/such/weights.bin: status 404", server.base));
    assert_eq!(names(folder.path()), [".lock"]);
}

#[test]
fn of_two_at_once_one_fetches_and_the_other_waits() {
    let (waits, waiting) = channel::<()>();
    // The first answer comes when somebody waits for the lock.
    let server = Server::new(move |asked, count| {
        if count == 0 {
            waiting.recv().unwrap();
        }
        Reply::Send(file(asked))
    });
    let folder = tempdir().unwrap();
    let fetched: usize = thread::scope(|scope| {
        let pulls = [waits.clone(), waits].map(|waits| {
            let (folder, hub) = (folder.path(), server.hub());
            scope.spawn(move || {
                let notify = |event: Event<'_>| {
                    if let Event::Waiting = event {
                        waits.send(()).unwrap();
                    }
                };
                block_on(models::pull(&patient_client(), &model(), folder, &[hub], &notify)).unwrap().fetched.len()
            })
        });
        pulls.map(|pull| pull.join().unwrap()).iter().sum()
    });
    assert_eq!((fetched, server.asked().len()), (2, 2));
    complete(folder.path());
}

#[test]
fn a_folder_that_cannot_be_made_is_said_and_nobody_is_asked() {
    let (server, folder) = (Server::of_files(), tempdir().unwrap());
    fs::write(folder.path().join("file"), "").unwrap();
    let within = folder.path().join("file").join("small");
    let error = pull(&within, &[server.hub(), server.hub()]).0.unwrap_err();
    assert_eq!(error.to_string(), format!("{}: a file stands in the way", within.display()));
    assert!(error.is_local() && server.asked().is_empty());
}
