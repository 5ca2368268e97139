//! Details in all their forms.

use super::{Detail, read};

fn shown(text: &str) -> Vec<(&'static str, &str)> {
    read(text).iter().map(|own| (own.form(), &text[own.range.clone()])).collect()
}

#[test]
fn details_are_read_in_all_their_forms() {
    for (text, wanted) in [
        ("it's still Tomasz and Ewan", vec![("name", "Tomasz"), ("name", "Ewan")]),
        ("Teal ring (#0B6E75, 2px)", vec![("code", "0B6E75"), ("number", "2px")]),
        ("doors at half past seven", vec![("clock", "half past seven")]),
        ("10am–6pm", vec![("clock", "10am"), ("clock", "6pm")]),
        ("Invoice 5512, £1,944.00", vec![("number", "5512"), ("number", "£1,944.00")]),
        ("keep 3.10 and 3.12", vec![("number", "3.10"), ("number", "3.12")]),
        ("Greg has it, 07700 900 128", vec![("name", "Greg"), ("code", "07700"), ("number", "900 128")]),
        ("Wed 10 September at 8 in the morning", vec![("weekday", "Wed"), ("date", "10 September"), ("clock", "8")]),
        (
            "on Tuesday 8 December, 9:00 to 13:00",
            vec![("weekday", "Tuesday"), ("date", "8 December"), ("clock", "9:00"), ("clock", "13:00")],
        ),
        ("9:30 am on 8 December", vec![("clock", "9:30 am"), ("date", "8 December")]),
        ("`rustls` is at 0.23.18 (ORD-2217)", vec![("code", "0.23.18"), ("code", "ORD-2217")]),
        ("open thu-sun, at least 4.5:1", vec![("weekday", "thu"), ("weekday", "sun"), ("code", "4.5:1")]),
        ("The API says nothing new.", vec![]),
    ] {
        assert_eq!(shown(text), wanted, "{text}");
    }
}

#[test]
fn details_are_the_same_in_another_notation() {
    let only = |text: &str| -> Detail { read(text).remove(0) };
    for (one, two) in [
        ("48 hours", "2 days"),
        ("£1,944.00", "£1944"),
        ("half past seven", "7:30 pm"),
        ("1 April", "the 1st of April"),
        ("10 MB", "10 MB"),
        ("1.240 kWh", "1,240 kWh"),
        ("doors at 19.30", "7:30 pm"),
        ("25 %", "25% to 28%"),
    ] {
        assert!(only(one).is_same(&only(two)) && only(two).is_same(&only(one)), "{one} {two}");
    }
    for (one, two) in [("13 June", "30 June"), ("1 Jul - 30 Sep", "1 July to 31 August"), ("uid 10001", "uid 1001")] {
        assert!(only(one).is_like(&only(two)) && !only(one).is_same(&only(two)), "{one} {two}");
    }
    assert!(!only("LOG-4471").is_like(&only("p95")) && !only("41%").is_like(&only("£41")));
    assert!(only("not more than 20 lines").allows(&only("19 lines")));
    assert!(!only("20 lines").allows(&only("19 lines")));
}

#[test]
fn what_stands_around_a_detail_says_what_it_is_of() {
    let text = "caster sugar 2 kg, plain flour 3 kg";
    let around: Vec<Vec<String>> = read(text).iter().map(|own| super::around(text, &own.range)).collect();
    assert_eq!(around, [["caster", "sugar"], ["plain", "flour"]]);
    // Where nothing stands between the marks, the part before it does; a row is of all of it.
    let text = "invoice 5512, £1,944.00";
    assert_eq!(super::around(text, &read(text)[1].range), ["invoic"]);
    let text = "Beth | Floor | 17:30";
    assert_eq!(super::around(text, &read(text)[0].range), ["beth", "floor"]);
}

#[test]
fn the_largest_numbers_are_compared() {
    let most = "9999999999999999999999999999 units";
    let (one, two) = (read(most), read("3 units"));
    assert!(!one[0].is_same(&two[0]) && !two[0].is_same(&one[0]));
    assert!(super::slip(most, &one[0], "3 units", &two[0]).is_none());
}
