//! Vectors whose floats lie elsewhere, in every form in which they are scanned.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use steadfast_pick::retrieve::pack::{Packer, Unpacker};
use steadfast_pick::retrieve::vectors::{Rows, Shrunk, Tiers, VectorError, Vectors};

/// Rows of floats that lie elsewhere, for a test.
#[derive(Debug)]
struct Kept(Vec<f32>);

impl Rows for Kept {
    fn read(&self, first: usize, into: &mut [f32]) -> Result<(), VectorError> {
        let from = self.0.get(first * 384..first * 384 + into.len());
        into.copy_from_slice(from.ok_or(VectorError::Unreadable { what: "it is short".to_owned() })?);
        Ok(())
    }
}

/// Rows of length 1 around a few centres, as like each other as texts of a few kinds.
fn mixture(count: usize, dimensions: usize) -> Vec<f32> {
    let mut state = 7_u32;
    let mut number = move || {
        let mut uniform = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        uniform() + uniform() + uniform() + uniform()
    };
    let centres: Vec<f32> = (0..20 * dimensions).map(|_| number()).collect();
    let mut rows = Vec::new();
    for at in 0..count {
        let centre = &centres[at % 20 * dimensions..][..dimensions];
        let row: Vec<f32> = centre.iter().map(|centre| centre + 1.2 * number()).collect();
        let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
        rows.extend(row.iter().map(|x| x / length));
    }
    rows
}

/// The same vectors with their floats here, and as `tiers` have them.
fn both(floats: &[f32], tiers: Tiers) -> (Vectors, Vectors) {
    let mut here = Vectors::new(384).unwrap();
    let mut shrunk = Shrunk::new(384, tiers).unwrap();
    let mut rows = floats.chunks_exact(384);
    let mut document = 0;
    while let Some(first) = rows.next() {
        // Documents of one to three rows, with a label or without.
        let more: Vec<&[f32]> = rows.by_ref().take(document % 3).collect();
        let (label, first) = if document % 2 == 0 { (Some(first), None) } else { (None, Some(first)) };
        here.push(label, first.into_iter().chain(more.iter().copied())).unwrap();
        shrunk.push(label, first.into_iter().chain(more)).unwrap();
        document += 1;
    }
    let mut packer = Packer::default();
    shrunk.pack(&mut packer);
    let bytes = packer.into_bytes();
    let mut unpacker = Unpacker::new(&bytes);
    let there = Vectors::unpack(&mut unpacker, 384, tiers, Arc::new(Kept(floats.to_vec()))).unwrap();
    assert_eq!(unpacker.end(), Ok(()));
    (here, there)
}

#[test]
fn nearly_all_of_the_best_are_found_in_every_form() {
    // The queries are drawn as the rows are.
    let mut floats = mixture(9_020, 384);
    let queries = floats.split_off(9_000 * 384);
    let forms = [
        (Tiers::default(), 200),
        (Tiers { exact_rows_max: 8_999, ..Tiers::default() }, 200),
        (Tiers { exact_rows_max: 0, bytes_rows_max: 8_999 }, 190),
    ];
    for (tiers, least) in forms {
        let (here, there) = both(&floats, tiers);
        assert_eq!((here.len(), here.rows()), (there.len(), there.rows()));
        let mut found = 0;
        for query in queries.chunks(384) {
            let (best, seen) = (here.search(query, 10, |_| true).unwrap(), there.search(query, 10, |_| true).unwrap());
            assert!(seen.iter().all(|hit| hit.score == here.similarity(query, hit.document).unwrap()));
            found += best.iter().filter(|hit| seen.contains(hit)).count();
            let odd = there.search(query, 10, |document| document % 2 == 1).unwrap();
            assert!(odd.len() == 10 && odd.iter().all(|hit| hit.document % 2 == 1));
        }
        assert!(found >= least, "{found} of 200, {tiers:?}");
        assert_eq!(here.between(3, 4), there.between(3, 4));
        assert_eq!(here.similarities(&queries[..384]).unwrap(), there.similarities(&queries[..384]).unwrap());
    }
}

#[test]
fn what_was_damaged_is_told() {
    let floats = mixture(10, 384);
    let tiers = Tiers { exact_rows_max: 0, bytes_rows_max: 99 };
    let mut shrunk = Shrunk::new(384, tiers).unwrap();
    floats.chunks_exact(384).for_each(|row| shrunk.push(None, [row]).unwrap());
    let mut packer = Packer::default();
    shrunk.pack(&mut packer);
    let bytes = packer.into_bytes();
    let read = |bytes: &[u8], tiers: Tiers, floats: &[f32]| {
        Vectors::unpack(&mut Unpacker::new(bytes), 384, tiers, Arc::new(Kept(floats.to_vec())))
    };
    assert!(read(&bytes, tiers, &floats).is_ok());
    for length in [0, 9, bytes.len() - 1] {
        assert!(read(&bytes[..length], tiers, &floats).is_err());
    }
    assert!(read(&bytes, Tiers { bytes_rows_max: 9, ..tiers }, &floats).is_err());
    assert!(read(&bytes, Tiers { exact_rows_max: 10, ..tiers }, &floats[1..]).is_err());
    let short = read(&bytes, tiers, &floats[..384]).unwrap();
    assert!(short.search(&floats[..384], 3, |_| true).is_err());
    let none = [vec![f32::NAN; 384], floats[384..].to_vec()].concat();
    assert_eq!(read(&bytes, tiers, &none).unwrap().search(&floats[..384], 3, |_| true), Err(VectorError::NotFinite));
}
